import { isObject } from '../request/guards.js';
import { requireThat } from '../request/checkOptions.js';
import type { ClientOptions } from './ClientOptions.js';
import { joinHeaders } from './headerFields.js';

/**
 * The options of a client that extends another: the extension's go first. Header fields and `fetchOptions` are put on top of the base's one by
 * one, `retry` field by field where both are policies; interceptors come behind the base's.
 *
 * @throws UsageError for what is no object
 */
export function extendOptions(base: ClientOptions, extension: ClientOptions): ClientOptions {
  requireThat(isObject(extension), 'extend', 'the argument', extension, 'an object of options');
  const given = Object.fromEntries(Object.entries(extension).filter(([, value]) => value !== undefined)) as ClientOptions;
  return {
    ...base,
    // One of the two sends.
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
