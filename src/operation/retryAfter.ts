import type { MonoTypeOperatorFunction } from 'rxjs';
import type { Limiter } from '../pace/Limiter.js';
import { requireQueue } from '../pace/queue/queues.js';
import { requireLimiter } from '../pace/queue/checkAsk.js';
import { isObject } from '../request/guards.js';
import { type ResolvedPolicy, resolvePolicy } from '../retry/resolvePolicy.js';
import type { RetryPolicyInput } from '../retry/RetryPolicy.js';
import { notifier } from './events.js';
import { operation } from './operation.js';
import { type Admitter, MAX_WAIT } from './OperationContext.js';

/** A policy, and the limiter that admits the attempts. */
export interface RetryAfterInput<T = unknown> extends RetryPolicyInput<T> {
  /**
   * Decides when each attempt is sent: a `pacer()` shared by all that goes to the same server, say. It is asked for `request.url`; without one
   * all is of one nameless origin. A limiter of your own needs `allOf(limiter)` around it, which brings its queue. An operation waits there for 30 minutes at most. None by default.
   */
  readonly limiter?: Limiter | undefined;
}

/**
 * Subscribes again after a failure that the policy takes, when the server's `Retry-After` says so or its own backoff.
 *
 *     source   5ms #                    a 429 with Retry-After: 3
 *     source             5ms (a|)
 *     output   5ms 3s    5ms (a|)       retryAfter()
 *
 * It works on any source whose errors look like a response (a number `status` and a `headers.get(name)`): `coldFetch`, Angular's
 * `HttpClient`, RxJS's `ajax`, axios, raw `fetch`. A foreign error whose method is unknown counts as replayable: you put the operator there.
 *
 * Each rule counts apart, in the subscription: two subscribers share nothing. The last error goes through unchanged, its response readable;
 * `retryReport(error)` says why. A source that has emitted output is not retried unless `resume` is given. Unsubscribing ends a wait at once.
 * A policy whose `timeout` you change takes effect in clients only: this operator starts no timer but waits and the deadline.
 *
 * With a `limiter` each attempt asks for a permit first, and a 429 holds all that share the limiter. It learns from values and errors with a
 * `status` (and `headers`); a value without one is an unknown outcome.
 *
 * @example
 * coldFetch('https://api.example.com/report', { selector: (response) => response.json() })
 *   .pipe(retryAfter({ ...policies.api, notify: (event) => console.error(event.type) }))
 *   .subscribe(show);
 * source$.pipe(retryAfter(2)); // the standard policy, with two retries for each rule
 *
 * @param input a policy, or the fields that differ from `policies.standard`, and `limiter`, `abort$`, `signal`, `notify`, ...; or a number of retries
 * @throws UsageError at once if the policy is nonsense
 */
export function retryAfter<T>(input: RetryAfterInput<T> | number = {}): MonoTypeOperatorFunction<T> {
  const { limiter, own } = split(input);
  const policy = resolvePolicy<T>(own);
  if (limiter !== undefined) requireLimiter('retryAfter', limiter);
  const emit = notifier(policy.notify);
  const admitter = limiter && admitterOf(limiter, policy);
  return (source) => operation(() => source, policy, { emit, admitter });
}

/** Takes the limiter apart from the policy; nonsense is for the policy to refuse. */
function split<T>(input: RetryAfterInput<T> | number): { limiter?: Limiter | undefined; own: RetryPolicyInput<T> | number } {
  if (!isObject(input)) return { own: input };
  const { limiter, ...own } = input;
  return { limiter, own };
}

function admitterOf<T>(limiter: Limiter, { request: { url, method, headers } = {} }: ResolvedPolicy<T>): Admitter<T> {
  return {
    queue: requireQueue('retryAfter', limiter),
    maxWait: MAX_WAIT,
    ask: () => ({ url, method, credential: headers?.get('authorization') ?? '' }),
  };
}
