import { known } from '../request/known.js';
import { isObject } from '../request/guards.js';
import { requireThat } from '../request/checkOptions.js';
import type { ClientOptions } from './ClientOptions.js';
import { joinHeaders } from './headerFields.js';

/**
 * Options of a client that extends another: the extension's override the base's. Header fields and `fetchOptions` are merged one by one,
 * `retry` field by field where both are policies; interceptors are appended to the base's.
 *
 * @throws UsageError for what is no object
 */
export function extendOptions(base: ClientOptions, extension: ClientOptions): ClientOptions {
  requireThat(isObject(extension), 'extend', 'the argument', extension, 'an object of options');
  const given = known(extension) as ClientOptions;
  return {
    ...base,
    // One of the two sends: an extension's `fetch` replaces the base's `transport`, and vice versa.
    ...(given.fetch && { transport: undefined }),
    ...(given.transport && { fetch: undefined }),
    ...given,
    headers: joinHeaders(base.headers, given.headers),
    retry: isObject(base.retry) && isObject(given.retry) ? { ...base.retry, ...given.retry } : (given.retry ?? base.retry),
    interceptors: [...(base.interceptors ?? []), ...(given.interceptors ?? [])],
    attemptInterceptors: [...(base.attemptInterceptors ?? []), ...(given.attemptInterceptors ?? [])],
    fetchOptions: { ...base.fetchOptions, ...given.fetchOptions },
  };
}
