import { checkKeys } from '../request/checkKeys.js';
import { UsageError } from '../request/errors/UsageError.js';
import { isObject } from '../request/guards.js';
import { requireSchema } from '../request/checkSchema.js';
import { requireThat } from '../request/requireThat.js';
import type { AnyRequestOptions, ClientResponseType } from './HttpClient.js';

const OBSERVED: readonly string[] = ['body', 'response', 'events'] satisfies AnyRequestOptions['observe'][];
const RESPONSE_TYPES: readonly string[] = [
  'json',
  'text',
  'blob',
  'bytes',
  'arrayBuffer',
  'formData',
  'stream',
] satisfies ClientResponseType[];
// Joined once: every request is checked.
const ONE_OBSERVED = `one of ${OBSERVED.join(', ')}`;
const ONE_RESPONSE_TYPE = `one of ${RESPONSE_TYPES.join(', ')}`;

const KEYS: readonly string[] = [
  'headers',
  'body',
  'params',
  'context',
  'signal',
  'abort$',
  'timeout',
  'deadline',
  'maxBytes',
  'retry',
  'fetchOptions',
  'observe',
  'responseType',
  'schema',
] satisfies (keyof AnyRequestOptions)[];

/** Names that other clients have for an option, and options of `fetch` beside those of a request. */
const ELSEWHERE = {
  query: 'params',
  searchParams: 'params',
  json: "the method's body",
  data: "the method's body",
  withCredentials: "fetchOptions: { credentials: 'include' }",
  reportProgress: "observe: 'events'",
  ...Object.fromEntries(
    ['credentials', 'mode', 'cache', 'redirect', 'referrer', 'referrerPolicy', 'integrity', 'keepalive', 'priority', 'dispatcher'].map(
      (name) => [name, `fetchOptions: { ${name} }`],
    ),
  ),
};

/**
 * Refuses the options of one request that would show only when its answer is read, or never.
 *
 * @param place says method and URL, for the message
 * @throws UsageError that names the option, its value and the remedy
 */
export function checkRequestOptions(options: AnyRequestOptions, place: () => string): void {
  const given: unknown = options;
  if (!isObject(given)) {
    throw new UsageError(`${place()}: its options are ${String(given)}; give an object, or nothing`);
  }
  checkKeys(place, options, KEYS, ELSEWHERE);
  checkReading(options, place);
  if (options.schema !== undefined) requireSchema(options.schema, place);
}

/** How an answer is to be read; of a request value as well. */
export function checkReading(
  { observe = 'body', responseType = 'json', maxBytes = 1 }: Pick<AnyRequestOptions, 'observe' | 'responseType' | 'maxBytes'>,
  place: () => string,
): void {
  requireThat(OBSERVED.includes(observe), place, 'observe', observe, ONE_OBSERVED);
  requireThat(RESPONSE_TYPES.includes(responseType), place, 'responseType', responseType, ONE_RESPONSE_TYPE);
  requireThat(maxBytes > 0, place, 'maxBytes', maxBytes, 'bytes above 0, or Infinity for no limit');
}
