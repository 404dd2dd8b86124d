import type { MonoTypeOperatorFunction } from 'rxjs';
import { attempts } from './attempts.js';
import { notifier } from './notifier.js';
import { resolvePolicy } from './resolvePolicy.js';
import type { RetryPolicyInput } from './RetryPolicy.js';

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
 * @example
 * coldFetch('https://api.example.com/report', { selector: (response) => response.json() })
 *   .pipe(retryAfter({ ...policies.api, notify: (event) => console.error(event.type) }))
 *   .subscribe(show);
 *
 * @param input a policy, or what differs from `policies.standard`, and `abort$`, `signal`, `notify`, ...
 * @throws UsageError at once if the policy is nonsense
 */
export function retryAfter<T>(input?: RetryPolicyInput<T>): MonoTypeOperatorFunction<T> {
  const policy = resolvePolicy(input);
  const tell = notifier(policy.notify);
  return (source) => attempts(() => source, policy, { tell });
}
