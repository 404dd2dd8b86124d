import type { GaveUpEvent } from '../request/HttpEvent.js';
import type { Failure } from '../retry/Failure.js';
import { eventContext, type EventContext } from './OperationContext.js';
import type { RetryReport } from './retryReport.js';

/** The event of an operation that ends with an error. @param kind name of the rule that took the last failure */
export function gaveUpEvent(
  { attempts, reason, elapsed }: RetryReport,
  error: unknown,
  context: EventContext,
  failure?: Failure,
  kind?: string,
): GaveUpEvent {
  return {
    type: 'gave-up',
    attempt: attempts,
    reason,
    elapsed,
    error,
    ...(kind !== undefined && { kind }),
    ...eventContext(context, failure),
  };
}
