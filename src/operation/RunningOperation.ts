import type { ObservableInput } from 'rxjs';
import type { Admission } from '../pace/queue/Admission.js';
import { isColdfetchError } from '../request/errors/ColdfetchError.js';
import type { ResolvedPolicy } from '../retry/resolvePolicy.js';
import type { RetryOptions } from '../retry/RetryPolicy.js';
import { isAbortReason, type AbortSources } from '../transport/takeUntilAborted.js';
import type { FailureBody } from './FailureBody.js';
import type { OperationContext } from './OperationContext.js';
import type { OperationLog } from './OperationLog.js';

/** Parts of a running operation. */
export interface RunningOperation<T> {
  /** Makes the nth request, from 1. */
  readonly send: (n: number) => ObservableInput<T>;
  readonly policy: ResolvedPolicy<T>;
  readonly context: OperationContext<T>;
  readonly log: OperationLog;
  /** Admission of its attempts, where there is a limiter. */
  readonly admission: Admission<T> | undefined;
  /** Body of the last failure, kept while a gate holds the next attempt. */
  readonly body: FailureBody;
  /** The last output that has been passed on, if any has. */
  output: { readonly last: T } | undefined;
}

/** True if an error is the reason of a caller who aborted: whatever its shape, it is no failure of the request. */
export function isAbort(error: unknown, { signal }: Pick<RetryOptions, 'signal'>): boolean {
  return isAbortReason(error) || (signal?.aborted === true && error === signal.reason);
}

/** Signal and `abort$` of the request that an error carries, where nobody listens to them for the whole operation. */
export function unobservedAbort<T>({ context, policy }: RunningOperation<T>, error: unknown): AbortSources {
  if (context.stopped || !isColdfetchError(error)) return {};
  const { signal, abort$ } = error.request ?? {};
  return { signal: signal === policy.signal ? undefined : signal, abort$: abort$ === policy.abort$ ? undefined : abort$ };
}
