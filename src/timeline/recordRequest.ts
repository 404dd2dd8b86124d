import { isBodyError } from '../request/errors/BodyError.js';
import { isDeadlineError } from '../request/errors/DeadlineError.js';
import { isHttpError } from '../request/errors/HttpError.js';
import { isNetworkError } from '../request/errors/NetworkError.js';
import { isTimeoutError } from '../request/errors/TimeoutError.js';
import type { HttpEvent, WaitEvent } from '../request/HttpEvent.js';
import { elapsed } from '../time.js';
import { isAbortReason } from '../transport/takeUntilAborted.js';
import type { AttemptFailure, TimelineAttempt, TimelineOutcome, TimelineRequest, TimelineWait } from './TimelineData.js';

/** Name of a row, and facts that its events lack. */
export interface TimelineOptions {
  /** Name of the row; `''` by default. */
  readonly label?: string | undefined;
  /** Milliseconds that the operation may take, for a line in the pictures: events tell of a deadline only when it ends something. */
  readonly deadline?: number | undefined;
}

/** Recorder of one operation. Its moments are those of the `elapsed()` clock, until {@link joinRequests} moves them. */
export interface RequestRecord {
  readonly next: (event: HttpEvent) => void;
  /** Ends the record with an error. */
  readonly fail: (error: unknown) => void;
  /** Ends the record of a request that completed, with a response or by an `abort$`. */
  readonly complete: () => void;
  /** Ends the record where the subscriber leaves; no effect on a record that has ended. */
  readonly leave: () => void;
  readonly read: () => TimelineRequest;
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Starts the record of an operation that begins now. */
export function recordRequest({ label = '', deadline = Infinity }: TimelineOptions): RequestRecord {
  const start = elapsed();
  const attempts: Open<TimelineAttempt>[] = [];
  const waits: Open<TimelineWait>[] = [];
  let attempt: Open<TimelineAttempt> | undefined;
  let wait: Open<TimelineWait> | undefined;
  let outcome: TimelineOutcome = { type: 'running' };
  let end: number | undefined;
  let limit = start + deadline;

  const closeWait = (): void => {
    if (wait) wait.end = elapsed();
    wait = undefined;
  };
  const closeAttempt = (failure?: AttemptFailure): void => {
    if (attempt) Object.assign(attempt, { end: elapsed() }, failure && { failure });
    attempt = undefined;
  };
  const endAs = (how: TimelineOutcome): void => {
    if (end !== undefined) return;
    closeWait();
    closeAttempt();
    end = elapsed();
    outcome = how;
  };
  const startWait = ({ attempt: number, delay, source, kind, capped, updated, error }: WaitEvent): void => {
    closeAttempt(error === undefined ? unexplained(attempt) : failureOf(error));
    // A gate that corrects its estimate is one wait with a better estimate.
    if (wait?.attempt === number && (updated || wait.source === source)) {
      wait.delay = elapsed() - wait.start + delay;
      return;
    }
    closeWait();
    wait = { attempt: number, start: elapsed(), end: Infinity, delay, source, kind, capped };
    waits.push(wait);
  };

  return {
    next: (event) => {
      switch (event.type) {
        case 'sent':
          closeWait();
          closeAttempt(unexplained(attempt));
          attempt = { number: event.attempt, start: elapsed(), end: Infinity };
          attempts.push(attempt);
          break;
        case 'headers':
          if (attempt) Object.assign(attempt, { status: event.status, headersAt: elapsed() });
          break;
        case 'upload':
          if (attempt) attempt.uploaded = event.loaded;
          break;
        case 'download':
          if (attempt) attempt.downloaded = event.loaded;
          break;
        case 'wait':
          startWait(event);
          break;
        case 'gave-up': {
          const failure = failureOf(event.error);
          if (failure === 'deadline' && deadline === Infinity && event.reason === 'deadline') limit = elapsed();
          closeAttempt(failure);
          endAs({ type: 'gave-up', reason: event.reason, ...described(event.error) });
          break;
        }
        case 'response':
          closeAttempt();
          outcome = { type: 'answered', status: event.status };
          break;
      }
    },
    fail: (error) => {
      if (!isAbortReason(error)) closeAttempt(failureOf(error));
      endAs(isAbortReason(error) ? { type: 'aborted' } : { type: 'failed', ...described(error) });
    },
    complete: () => endAs(outcome.type === 'answered' ? outcome : { type: 'aborted' }),
    leave: () => endAs(outcome.type === 'answered' ? outcome : { type: 'aborted' }),
    read: () => {
      const until = end ?? elapsed();
      const closed = <T extends { readonly end: number }>(part: T): T => ({ ...part, end: Math.min(part.end, until) });
      return {
        label,
        start,
        end: until,
        attempts: attempts.map(closed),
        waits: waits.map(closed),
        outcome,
        ...(limit < Infinity && { deadline: limit }),
      };
    },
  };
}

/** Failure of an attempt that no event reports, but after which the operation went on. */
function unexplained(attempt: TimelineAttempt | undefined): AttemptFailure | undefined {
  return attempt && (attempt.status === undefined ? 'other' : 'response');
}

function described(error: unknown): { error: string; status?: number } {
  return { error: error instanceof Error ? error.message : String(error), ...(isHttpError(error) && { status: error.status }) };
}

/** Failure of an attempt that ended with `error`. */
export function failureOf(error: unknown): AttemptFailure {
  if (isHttpError(error)) return 'response';
  if (isNetworkError(error)) return 'network';
  if (isTimeoutError(error)) return 'timeout';
  if (isBodyError(error)) return 'body';
  return isDeadlineError(error) ? 'deadline' : 'other';
}
