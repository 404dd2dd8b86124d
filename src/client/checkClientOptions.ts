import {
  ANY,
  BYTE_LIMIT,
  checkOptions,
  isFunction,
  type OptionRule,
  type OptionTable,
  requireThat,
  TIME_LIMIT,
} from '../request/checkOptions.js';
import { isObject } from '../request/guards.js';
import { isHttpUrl } from '../request/urls.js';
import type { ClientOptions } from './ClientOptions.js';

const INTERCEPTORS: OptionRule = [(value) => Array.isArray(value) && value.every(isFunction), 'a list of functions'];

const OPTIONS: OptionTable<ClientOptions> = {
  rules: {
    baseUrl: ANY,
    headers: ANY,
    fetch: [isFunction, 'a function like fetch'],
    timeout: TIME_LIMIT,
    deadline: TIME_LIMIT,
    retry: [(value) => value === false || typeof value === 'number' || isObject(value), 'a policy, a number of retries, or false for none'],
    pace: [(value) => value === false || isObject(value), 'a limiter, or false for none'],
    cache: [(value) => value === false || isFunction(value), 'httpCache(), with its options'],
    idempotency: ANY,
    interceptors: INTERCEPTORS,
    attemptInterceptors: INTERCEPTORS,
    requestIdHeader: ANY,
    attemptHeader: ANY,
    maxBytes: BYTE_LIMIT,
    fetchOptions: ANY,
    beforeRetry: [isFunction, 'a function of request and error'],
    origin: [(value) => isHttpUrl(String(value)), "an absolute http or https URL, 'http://127.0.0.1:4000' say"],
    transport: [isFunction, 'a handler, xhr() say'],
  },
  // Names that other clients use for an option, and options that belong to another place.
  elsewhere: {
    baseURL: 'baseUrl',
    prefixUrl: 'baseUrl',
    policy: 'retry',
    limiter: 'pace',
    signal: 'an option of each request, or of retry for all of them',
    credentials: 'fetchOptions: { credentials }',
  },
};

/**
 * Refuses options whose mistakes would show only at the first request, or never.
 *
 * @throws UsageError that names the option, its value and the remedy
 */
export function checkClientOptions(options: ClientOptions): void {
  checkOptions('createClient', options, OPTIONS);
  const { baseUrl, fetch, origin, transport } = options;
  const hasBase = origin === undefined || baseUrl !== undefined;
  requireThat(hasBase, 'createClient', 'origin', origin, "a baseUrl as well, '/' say: that is what it completes");
  const isOne = transport === undefined || fetch === undefined;
  requireThat(isOne, 'createClient', 'fetch', fetch, 'one of fetch and transport: a transport needs no fetch');
}
