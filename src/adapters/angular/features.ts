import type { FactoryProvider, InjectionToken } from '@angular/core';
import type { ClientOptions } from '../../client/ClientOptions.js';
import type { Limiter } from '../../pace/Limiter.js';
import { requireLimiter } from '../../pace/queue/checkAsk.js';
import { isObject } from '../../request/guards.js';
import { requireThat } from '../../request/checkOptions.js';
import { resolvePolicy } from '../../retry/resolvePolicy.js';
import type { RetryOptions } from '../../retry/RetryPolicy.js';
import { CLIENT_OPTIONS, LIMITER, POLICY } from './injectedClient.js';

/** One feature of `provideColdfetch`, made by a function whose name begins with `with`. */
export interface ColdfetchFeature {
  /** Name of the function that made the feature. */
  readonly name: 'withPolicy' | 'withLimiter' | 'withClient';
  /** Provider of the feature's value; `provideColdfetch` takes it. */
  readonly provider: FactoryProvider;
}

/**
 * Policy of the client, and of Angular's `HttpClient` where `retryAfterInterceptor()` is given none.
 *
 * @example
 * provideColdfetch(withPolicy(policies.interactive));
 * provideColdfetch(withPolicy(() => ({ ...policies.interactive, notify: inject(Telemetry) })));
 *
 * @param policy a policy, or the fields that differ from `policies.standard`; a number of retries; `false`: no retries. A function is called in
 *   the injection context, once
 * @throws UsageError if the policy is nonsense: at once, that of a function where it is first injected
 */
export function withPolicy(policy: RetryOptions | number | false | (() => RetryOptions | number | false)): ColdfetchFeature {
  return { name: 'withPolicy', provider: provide(POLICY, policy, checkPolicy) };
}

/**
 * Limiter that admits each attempt, of the client and of Angular's `HttpClient` (by `retryAfterInterceptor()`) alike: a 429 to one holds the
 * other, too. Without this feature it is that of the parent injector, else a `pacer({ initial: 6 })` of its own.
 *
 * Server-side rendering makes an injector for each page that it renders: a limiter in a constant of a module is shared by all of them.
 *
 * @example
 * provideColdfetch(withLimiter(allOf(pacer(), concurrency(4))));
 *
 * @param limiter a limiter with a queue (a pacer, or `allOf(...)`), or a function that is called in the injection context, once; `false`: none,
 *   each request waits by itself
 * @throws UsageError if it is no limiter: at once, that of a function where it is first injected
 */
export function withLimiter(limiter: Limiter | false | (() => Limiter | false)): ColdfetchFeature {
  return { name: 'withLimiter', provider: provide(LIMITER, limiter, checkLimiter) };
}

/**
 * Options of the client that `inject(COLDFETCH)` gives: those of `createClient`. Its `retry` goes before `withPolicy`, its `pace` before
 * `withLimiter`.
 *
 * @example
 * provideColdfetch(withClient({ baseUrl: '/api', requestIdHeader: 'x-request-id' }));
 * provideColdfetch(withClient(() => {
 *   const session = inject(Session);
 *   return { baseUrl: '/api', headers: () => ({ authorization: `Bearer ${session.token()}` }) };
 * }));
 *
 * @param options options, or a function that is called in the injection context, once
 * @throws UsageError if they are nonsense: where the client is first injected
 */
export function withClient(options: ClientOptions | (() => ClientOptions)): ColdfetchFeature {
  return { name: 'withClient', provider: provide(CLIENT_OPTIONS, options, checkOptions) };
}

/** Provider of a value, or of the result of a function; either is checked. */
function provide<T>(token: InjectionToken<T>, given: T | (() => T), check: (value: T) => void): FactoryProvider {
  if (!isFactory(given)) check(given);
  const useFactory = (): T => {
    if (!isFactory(given)) return given;
    const made = given();
    check(made);
    return made;
  };
  return { provide: token, useFactory };
}

function isFactory<T>(given: T | (() => T)): given is () => T {
  return typeof given === 'function';
}

function checkPolicy(policy: RetryOptions | number | false): void {
  if (policy !== false) resolvePolicy(policy);
}

function checkLimiter(limiter: Limiter | false): void {
  if (limiter !== false) requireLimiter('withLimiter', limiter);
}

function checkOptions(options: ClientOptions): void {
  requireThat(isObject(options), 'withClient', 'the argument', options, 'options of createClient, or a function that returns them');
}
