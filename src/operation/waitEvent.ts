import type { WaitEvent } from '../request/HttpEvent.js';
import { elapsed } from '../time.js';
import { eventContext, type EventContext } from './OperationContext.js';
import type { OperationLog } from './OperationLog.js';

/** A wait, timed to fractions of a millisecond. */
export type Wait = Pick<WaitEvent, 'delay' | 'kind' | 'source' | 'capped'> & {
  /** When it began, wall clock in ms. */
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
    ...(position !== undefined && { position }),
    ...(windowsLeft !== undefined && { windowsLeft }),
    ...(updated && { updated: true as const }),
    ...(log.failed && { error: log.failed.failure.error }),
    ...eventContext(context, log.failed?.failure),
  };
}

/** Milliseconds rounded up, but not for the sake of a nanosecond, by which sums of times may differ. */
function wholeMilliseconds(ms: number): number {
  return Math.max(Math.ceil(ms - 1e-6), 0);
}
