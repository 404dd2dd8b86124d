/** An attempt was handed to `fetch`; progress starts at 0 again. */
export interface SentEvent {
  readonly type: 'sent';
  readonly attempt: number;
}

/** Bytes handed to the socket. The count runs ahead of the server: a full count is not yet a response. */
export interface UploadEvent {
  readonly type: 'upload';
  readonly attempt: number;
  readonly loaded: number;
  readonly total?: number;
}

/** The head of a response arrived, of a failed attempt too. */
export interface HeadersEvent {
  readonly type: 'headers';
  readonly attempt: number;
  readonly status: number;
  readonly headers: Headers;
  readonly url: string;
}

/** Decoded bytes read of the response's body. */
export interface DownloadEvent {
  readonly type: 'download';
  readonly attempt: number;
  readonly loaded: number;
  readonly total?: number;
}

/** The operation waits before its next attempt. */
export interface WaitEvent {
  readonly type: 'wait';
  /** The attempt that failed; 1 if the first one is held at a gate. */
  readonly attempt: number;
  /** Length in whole ms, rounded up; at a gate an estimate, corrected when it becomes longer. 0 while a browser is offline, since the length is unknown. */
  readonly delay: number;
  /** End of the wait, wall clock in ms, for display. */
  readonly until: number;
  /** Name of the rule that took the failure: `'throttled'`, `'transient'`, ...; `'gate'` before the first send; `'offline'`. */
  readonly kind: string;
  /** Origin of the delay: the key of a delay source (`'retryAfter'`), `'rateLimit'`, `'backoff'`, `'breaker'`, `'slots'`, ... */
  readonly source: string;
  /** True if the server asked for longer than the policy allows. */
  readonly capped: boolean;
  /** Milliseconds since the operation began. */
  readonly elapsed: number;
  /** The failed attempt's status, if it had one. */
  readonly status?: number;
  /** The failure after which the operation waits. */
  readonly error?: unknown;
  /** The operation's request id, where the request carries one. */
  readonly requestId?: string;
  /** Origin of the server that is waited for, where known. */
  readonly origin?: string;
  /** Quota windows still to pass at a gate, the current one included. */
  readonly windowsLeft?: number;
  /** Requests that stand before this one at a gate. */
  readonly position?: number;
  /** Set where the event corrects an earlier one about the same wait: the wait has become longer, or goes on at a gate. */
  readonly updated?: true;
}

/**
 * Reason for which an operation ended without an answer.
 *
 *  - `'exhausted'`: the rule's count is used up, its own or that of all who waited together at a gate
 *  - `'deadline'`: the deadline passed, or would pass before the next attempt
 *  - `'terminal'`: no rule takes the failure, or a hook called it terminal
 *  - `'not-replayable'`: the request cannot be sent again
 *  - `'partial-output'`: output had already been passed on
 *  - `'max-hint'`: the server asks for more than `maxHint`
 *  - `'max-wait'`: the waits at gates were longer than `maxWait`, or would be
 *  - `'hook-failed'`: a hook threw
 */
export type GiveUpReason =
  'exhausted' | 'deadline' | 'terminal' | 'not-replayable' | 'partial-output' | 'max-hint' | 'max-wait' | 'hook-failed';

/** The operation ends with the error that follows. An abort has no such event. */
export interface GaveUpEvent {
  readonly type: 'gave-up';
  /** Number of the last attempt, which is the number of attempts made. */
  readonly attempt: number;
  readonly reason: GiveUpReason;
  /** Milliseconds since the operation began. */
  readonly elapsed: number;
  /** The error that the subscriber gets. */
  readonly error: unknown;
  /** Name of the rule that matched the last failure, if one did. */
  readonly kind?: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly origin?: string;
}

/** Events that retrying adds to a stream. */
export type RetryEvent = WaitEvent | GaveUpEvent;

/** The response, its body read as the request's `responseType` says. */
export interface ResponseEvent<T = unknown> {
  readonly type: 'response';
  readonly attempt: number;
  readonly status: number;
  readonly headers: Headers;
  readonly url: string;
  readonly body: T;
  /** Treatment by a cache in the pipeline, as a member of `Cache-Status` (RFC 9211). */
  readonly cacheStatus?: string;
}

/**
 * Event of a request, tagged by `type`. Each attempt gives `sent`, `upload`..., `headers`, `download`..., then `wait`,
 * `gave-up` (an error follows) or `response`.
 */
export type HttpEvent<T = unknown> = SentEvent | UploadEvent | HeadersEvent | DownloadEvent | WaitEvent | GaveUpEvent | ResponseEvent<T>;
