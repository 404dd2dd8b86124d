import type { GiveUpReason } from '../request/HttpEvent.js';

/** Course of requests over time: plain data, ready for `JSON.stringify`. All moments are ms from `began`. */
export interface Timeline {
  /** The moment of the monotonic clock (of the virtual one under `TestScheduler.run`) that is 0 here, in ms. */
  readonly began: number;
  /** When the last of its requests was over, or, while one is running, the moment of reading. */
  readonly end: number;
  /** One row for each operation, in the order of their starts. */
  readonly requests: readonly TimelineRequest[];
}

/** One operation: its attempts, the waits between them, and how it ended. */
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
  /** When it had to be over, where that is known. */
  readonly deadline?: number;
}

/** One sending of the request. Without `failure` in a request that was aborted or is running: it was cut short, or is in flight, body included. */
export interface TimelineAttempt {
  /** From 1. */
  readonly number: number;
  readonly start: number;
  readonly end: number;
  /** The status of the answer, if one came. */
  readonly status?: number;
  /** How it failed: the server said so (`'response'`), or one of the others; absent if it did not. */
  readonly failure?: AttemptFailure;
  /** When the head of the answer arrived. */
  readonly headersAt?: number;
  /** Bytes handed to the socket. */
  readonly uploaded?: number;
  /** Decoded bytes read of the answer. */
  readonly downloaded?: number;
}

/** How an attempt failed: by its status, without an answer, without progress, in its body, at the deadline, or otherwise. */
export type AttemptFailure = 'response' | 'network' | 'timeout' | 'body' | 'deadline' | 'other';

/** One wait before an attempt. */
export interface TimelineWait {
  /** The attempt that failed; 1 if the first one is held at a gate. */
  readonly attempt: number;
  readonly start: number;
  /** When it was over; before `start + delay` if something ended it early. */
  readonly end: number;
  /** How long it was to be, in ms. */
  readonly delay: number;
  /** Where the delay came from: `'retryAfter'`, `'backoff'`, `'gate'`, ... */
  readonly source: string;
  /** The rule's name: `'throttled'`, `'transient'`, `'gate'`, ... */
  readonly kind: string;
  /** True if the server asked for longer than the policy allows. */
  readonly capped: boolean;
}

/** Work before the first attempt, or beside the attempts. */
export interface TimelineStep {
  /** A word for it: `'look'`, `'hash'` and `'permit'` have colours of their own. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * How an operation ended: with an answer; with the error that retrying let through, and why; with an error of which retrying said nothing
 * (there was none); by its caller (a signal, `abort$`, or unsubscribing); or not yet.
 */
export type TimelineOutcome =
  | { readonly type: 'answered'; readonly status: number }
  | { readonly type: 'gave-up'; readonly reason: GiveUpReason; readonly error: string; readonly status?: number }
  | { readonly type: 'failed'; readonly error: string; readonly status?: number }
  | { readonly type: 'aborted' }
  | { readonly type: 'running' };
