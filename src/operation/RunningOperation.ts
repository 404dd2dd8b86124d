import type { ObservableInput } from 'rxjs';
import type { Admission } from '../pace/queue/Admission.js';
import type { ResolvedPolicy } from '../retry/resolvePolicy.js';
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
