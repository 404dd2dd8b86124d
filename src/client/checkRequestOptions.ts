import { ANY, BYTE_LIMIT, checkOptions, type OptionTable, type Place } from '../request/checkOptions.js';
import { SCHEMA } from '../request/checkSchema.js';
import type { AnyRequestOptions, ClientResponseType } from './HttpClient.js';

const OBSERVED: readonly unknown[] = ['body', 'response', 'events'] satisfies AnyRequestOptions['observe'][];
const RESPONSE_TYPES: readonly unknown[] = [
  'json',
  'text',
  'blob',
  'bytes',
  'arrayBuffer',
  'formData',
  'stream',
] satisfies ClientResponseType[];

/** Options that say how a response is read. */
type ReadingOptions = Pick<AnyRequestOptions, 'observe' | 'responseType' | 'maxBytes'>;

const READING: OptionTable<ReadingOptions>['rules'] = {
  observe: [(value) => OBSERVED.includes(value), `one of ${OBSERVED.join(', ')}`],
  responseType: [(value) => RESPONSE_TYPES.includes(value), `one of ${RESPONSE_TYPES.join(', ')}`],
  maxBytes: BYTE_LIMIT,
};

const OPTIONS: OptionTable<AnyRequestOptions> = {
  rules: {
    headers: ANY,
    body: ANY,
    params: ANY,
    context: ANY,
    signal: ANY,
    abort$: ANY,
    timeout: ANY,
    deadline: ANY,
    retry: ANY,
    fetchOptions: ANY,
    schema: SCHEMA,
    ...READING,
  },
  // Names that other clients use for an option, and options of `fetch` beside those of a request.
  elsewhere: {
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
  },
};

/**
 * Refuses options of one request whose mistakes would show only when its response is read, or never.
 *
 * @param place says method and URL, for the message
 * @throws UsageError that names the option, its value and the remedy
 */
export function checkRequestOptions(options: AnyRequestOptions, place: Place): void {
  checkOptions(place, options, OPTIONS);
}

/** Refuses nonsense in the options of a request value that say how its response is read. */
export function checkReading({ observe, responseType, maxBytes }: ReadingOptions, place: Place): void {
  checkOptions(place, { observe, responseType, maxBytes }, { rules: READING });
}
