import { noop, of } from 'rxjs';
import type { GaveUpEvent, RetryEvent, WaitEvent } from '../request/HttpEvent.js';
import { known } from '../request/known.js';
import type { Failure } from '../retry/Failure.js';
import type { RetryOptions } from '../retry/RetryPolicy.js';
import { elapsed } from '../time.js';
import { eventContext, type EventContext } from './OperationContext.js';
import type { OperationLog } from './OperationLog.js';
import type { RetryReport } from './retryReport.js';

/**
 * Hands events to `notify`. An error that `notify` throws goes to RxJS's `onUnhandledError`, like that of any subscriber; the pipeline goes
 * on.
 */
export function notifier(notify: RetryOptions['notify']): (event: RetryEvent) => void {
  if (!notify) return noop;
  const next =
    typeof notify === 'function'
      ? notify
      : (event: RetryEvent): void => {
          notify.next(event);
        };
  return (event) => {
    of(event).subscribe(next);
  };
}

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
    ...known({ kind }),
    ...eventContext(context, failure),
  };
}

/** A wait, timed to fractions of a millisecond. */
export type Wait = Pick<WaitEvent, 'delay' | 'kind' | 'source' | 'capped'> & {
  /** Moment at which the wait began, wall clock in ms. */
  readonly since: number;
  readonly position?: number | undefined;
  readonly windowsLeft?: number | undefined;
  readonly updated?: boolean;
};

/** The event of a wait: after the last failed attempt, or before the first send. */
export function waitEvent(wait: Wait, log: OperationLog, context: EventContext): WaitEvent {
  const { since, kind, source, capped, position, windowsLeft, updated } = wait;
  const delay = wholeMilliseconds(wait.delay);
  return {
    type: 'wait',
    attempt: Math.max(log.sent, 1),
    delay,
    until: since + delay,
    kind,
    source,
    capped,
    elapsed: elapsed() - log.began,
    ...known({ position, windowsLeft }),
    ...(updated && { updated: true as const }),
    ...(log.failed && { error: log.failed.failure.error }),
    ...eventContext(context, log.failed?.failure),
  };
}

/** Milliseconds rounded up, except for a rest below a nanosecond, by which sums of times may differ. */
function wholeMilliseconds(ms: number): number {
  return Math.max(Math.ceil(ms - 1e-6), 0);
}
