import { defer, delay, type Observable, of } from 'rxjs';
import { type PaceOptions, retryAndPace } from '../../src/operation/retryAndPace.js';
import type { Limiter } from '../../src/pace/Limiter.js';
import { queued } from '../../src/pace/queue/LimiterQueue.js';
import { chain, type Handler } from '../../src/request/Handler.js';
import type { FetchLike } from '../../src/request/FetchLike.js';
import type { RetryOptions } from '../../src/retry/RetryPolicy.js';
import { elapsed } from '../../src/time.js';
import { transport } from '../../src/transport/transport.js';

/** A pipeline of the operation and `fetch`, without the rest of a client. */
export function pipeline(fetch: FetchLike, limiter: Limiter, policy: RetryOptions | false = {}, options: PaceOptions = {}): Handler {
  return chain([retryAndPace(policy, queued(limiter), options)], transport(fetch));
}

/** A server that answers the nth request (from 1) after `latency` ms, and notes when each arrived. */
export function answering(
  answer: (n: number, now: number) => Response | Observable<Response>,
  latency = 10,
): FetchLike & { readonly at: number[] } {
  const at: number[] = [];
  const fetch: FetchLike = () =>
    defer(() => {
      at.push(elapsed());
      const answered = answer(at.length, elapsed());
      return answered instanceof Response ? of(answered).pipe(delay(latency)) : answered;
    });
  return Object.assign(fetch, { at });
}

/** A 429 with these fields. */
export function tooMany(headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 429, headers });
}

export function fine(headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 204, headers });
}
