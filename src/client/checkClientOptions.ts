import { isHttpUrl } from '../request/urls.js';
import { checkKeys } from '../request/checkKeys.js';
import { isObject } from '../request/guards.js';
import { requireThat } from '../request/requireThat.js';
import type { ClientOptions } from './ClientOptions.js';

const KEYS: readonly string[] = [
  'baseUrl',
  'headers',
  'fetch',
  'timeout',
  'deadline',
  'retry',
  'pace',
  'cache',
  'idempotency',
  'interceptors',
  'attemptInterceptors',
  'requestIdHeader',
  'attemptHeader',
  'maxBytes',
  'fetchOptions',
  'beforeRetry',
  'origin',
  'transport',
] satisfies (keyof ClientOptions)[];

const RETRY_REMEDY = 'a policy, a number of retries, or false for none';

/** Names that other clients have for an option, and options that belong to another place. */
const ELSEWHERE = {
  baseURL: 'baseUrl',
  prefixUrl: 'baseUrl',
  policy: 'retry',
  limiter: 'pace',
  signal: 'an option of each request, or of retry for all of them',
  credentials: 'fetchOptions: { credentials }',
};

/**
 * Refuses options that would show only at the first request, or never.
 *
 * @throws UsageError that names the option, its value and the remedy
 */
export function checkClientOptions(options: ClientOptions): void {
  const check = (holds: boolean, name: string, value: unknown, remedy: string): void =>
    requireThat(holds, 'createClient', name, value, remedy);
  check(isObject(options), 'the argument', options, 'an object of options, or nothing');
  checkKeys(() => 'createClient', options, KEYS, ELSEWHERE);
  const { retry: policy, pace: pacing, cache: caching, fetch, transport, origin, beforeRetry } = options;
  const { timeout = 1, deadline = 1, maxBytes = 1 } = options;
  check(policy === undefined || policy === false || typeof policy === 'number' || isObject(policy), 'retry', policy, RETRY_REMEDY);
  check(beforeRetry === undefined || typeof beforeRetry === 'function', 'beforeRetry', beforeRetry, 'a function of request and error');
  check(pacing === undefined || pacing === false || isObject(pacing), 'pace', pacing, 'a limiter, or false for none');
  check(caching === undefined || caching === false || typeof caching === 'function', 'cache', caching, 'httpCache(), with its options');
  check(origin === undefined || isHttpUrl(String(origin)), 'origin', origin, "an absolute http or https URL, 'http://127.0.0.1:4000' say");
  check(origin === undefined || options.baseUrl !== undefined, 'origin', origin, "a baseUrl as well, '/' say: that is what it completes");
  check(transport === undefined || typeof transport === 'function', 'transport', transport, 'a handler, xhr() say');
  check(transport === undefined || fetch === undefined, 'fetch', fetch, 'one of fetch and transport: a transport needs no fetch');
  check(fetch === undefined || typeof fetch === 'function', 'fetch', fetch, 'a function like fetch');
  for (const name of ['interceptors', 'attemptInterceptors'] as const) {
    const interceptors: unknown = options[name] ?? [];
    check(
      Array.isArray(interceptors) && interceptors.every((interceptor) => typeof interceptor === 'function'),
      name,
      interceptors,
      'a list of functions',
    );
  }
  check(deadline > 0, 'deadline', deadline, 'milliseconds above 0, or Infinity for none');
  check(timeout > 0, 'timeout', timeout, 'milliseconds above 0, or Infinity for none');
  check(maxBytes > 0, 'maxBytes', maxBytes, 'bytes above 0, or Infinity for no limit');
}
