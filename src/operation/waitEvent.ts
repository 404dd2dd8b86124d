import type { WaitEvent } from '../request/HttpEvent.js';
import { elapsed } from '../time.js';
import { eventContext, type EventContext } from './OperationContext.js';
import type { OperationLog } from './OperationLog.js';

/** A wait, as its event tells of it. */
export type Wait = Pick<WaitEvent, 'delay' | 'until' | 'kind' | 'source' | 'capped'> & {
  readonly position?: number | undefined;
  readonly windowsLeft?: number | undefined;
  readonly updated?: boolean;
};

/** The event of a wait: after the last failed attempt, or before the first send. */
export function waitEvent(wait: Wait, log: OperationLog, context: EventContext): WaitEvent {
  const { delay, until, kind, source, capped, position, windowsLeft, updated } = wait;
  return {
    type: 'wait',
    attempt: Math.max(log.sent, 1),
    delay,
    until,
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
