import type { GiveUpReason } from '../request/HttpEvent.js';

/** Course of requests over time: plain data, ready for `JSON.stringify`. All moments are ms from `began`. */
export interface Timeline {
  /** The moment of the monotonic clock (of the virtual one under `TestScheduler.run`) that is 0 here, in ms. */
  readonly began: number;
  /** End of the last request, or, while one is running, the moment of reading. */
  readonly end: number;
  /** One row for each operation, in the order of their starts. */
  readonly requests: readonly TimelineRequest[];
}

/** One operation: its attempts, the waits between them, and its outcome. */
export interface TimelineRequest {
  /** Name of the row: method and path, a file's name; may be empty. */
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly attempts: readonly TimelineAttempt[];
  readonly waits: readonly TimelineWait[];
  /** Work that prepared it, such as reading a file; none by default. */
  readonly steps?: readonly TimelineStep[];
  readonly outcome: TimelineOutcome;
  /** Moment of the deadline, where that is known. */
  readonly deadline?: number;
}

/**
 * One sending of the request. Without `failure` in a request that was aborted or is running, the attempt was cut short, or is in flight,
 * body included.
 */
export interface TimelineAttempt {
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly start: number;
  readonly end: number;
  /** Status of the response, if one came. */
  readonly status?: number;
  /** Kind of the failure: a bad status (`'response'`), or one of the others; absent for an attempt that did not fail. */
  readonly failure?: AttemptFailure;
  /** Moment at which the head of the response arrived. */
  readonly headersAt?: number;
  /** Bytes handed to the socket. */
  readonly uploaded?: number;
  /** Decoded bytes read of the response. */
  readonly downloaded?: number;
}

/** Kind of an attempt's failure: its status, no response, no progress, its body, the deadline, or another. */
export type AttemptFailure = 'response' | 'network' | 'timeout' | 'body' | 'deadline' | 'other';

/** One wait before an attempt. */
export interface TimelineWait {
  /** Number of the attempt that failed; 1 if the first one is held at a gate. */
  readonly attempt: number;
  readonly start: number;
  /** End of the wait; before `start + delay` if something ended it early. */
  readonly end: number;
  /** Planned length of the wait, in ms. */
  readonly delay: number;
  /** Origin of the delay: `'retryAfter'`, `'backoff'`, `'gate'`, ... */
  readonly source: string;
  /** Name of the rule: `'throttled'`, `'transient'`, `'gate'`, ... */
  readonly kind: string;
  /** True if the server asked for longer than the policy allows. */
  readonly capped: boolean;
}

/** Work before the first attempt, or beside the attempts. */
export interface TimelineStep {
  /** A word for the step: `'look'`, `'hash'` and `'permit'` have colours of their own. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Outcome of an operation: a response; the error that retrying let through, with the reason; an error without a report of retrying; the end
 * by its caller (a signal, `abort$`, or unsubscribing); or none yet.
 */
export type TimelineOutcome =
  | { readonly type: 'answered'; readonly status: number }
  | { readonly type: 'gave-up'; readonly reason: GiveUpReason; readonly error: string; readonly status?: number }
  | { readonly type: 'failed'; readonly error: string; readonly status?: number }
  | { readonly type: 'aborted' }
  | { readonly type: 'running' };
