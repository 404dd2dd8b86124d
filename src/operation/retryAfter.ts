import type { MonoTypeOperatorFunction } from 'rxjs';
import { anyFailure } from './anyFailure.js';
import { type RetryAfterInput, retryWith } from './retryWith.js';

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
  return retryWith(input, anyFailure);
}
