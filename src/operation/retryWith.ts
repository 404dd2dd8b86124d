import type { MonoTypeOperatorFunction } from 'rxjs';
import type { Limiter } from '../pace/Limiter.js';
import { requireQueue } from '../pace/queue/queues.js';
import { requireLimiter } from '../pace/queue/checkAsk.js';
import { isObject } from '../request/guards.js';
import { type ResolvedPolicy, resolvePolicy } from '../retry/resolvePolicy.js';
import type { RetryPolicyInput } from '../retry/RetryPolicy.js';
import { notifier } from './events.js';
import { operation } from './operation.js';
import { type Admitter, type FailureReader, MAX_WAIT } from './OperationContext.js';

/** A policy, and the limiter that admits the attempts. */
export interface RetryAfterInput<T = unknown> extends RetryPolicyInput<T> {
  /**
   * Limiter that decides when each attempt is sent: a `pacer()` shared by all requests to the same server, for example. It is asked for
   * `request.url`; without a URL all requests are of one nameless origin. A limiter of your own needs `allOf(limiter)` around it, which
   * brings its queue. An operation waits there for 30 minutes at most. None by default.
   */
  readonly limiter?: Limiter | undefined;
}

/**
 * The operator `retryAfter` with a reader of failures that is chosen: where only those of one client can come, a bundle needs no readers for
 * others.
 *
 * @throws UsageError at once if the policy is nonsense
 */
export function retryWith<T>(input: RetryAfterInput<T> | number, failures: FailureReader): MonoTypeOperatorFunction<T> {
  const { limiter, own } = split(input);
  const policy = resolvePolicy<T>(own);
  if (limiter !== undefined) requireLimiter('retryAfter', limiter);
  const emit = notifier(policy.notify);
  const admitter = limiter && admitterOf(limiter, policy);
  return (source) => operation(() => source, policy, { emit, admitter, failures });
}

/** Separates the limiter from the policy, which refuses nonsense itself. */
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
