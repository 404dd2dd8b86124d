/** A build of the API. */
export interface Build {
  readonly id: string;
  /** URL of the build's page. */
  readonly url: string;
}

/** A file was read and its key computed; nothing has been sent yet. */
export interface HashedEvent {
  readonly type: 'hashed';
  /** The screenshot's name. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the file's bytes, hex. */
  readonly key: string;
  /** Number of files read so far, this one included, and of all files. */
  readonly hashed: number;
  readonly files: number;
  /** Milliseconds that reading and hashing took. */
  readonly took: number;
}

/** The API created a build, and named the files that it lacks. */
export interface CreatedEvent {
  readonly type: 'created';
  readonly build: Build;
  /**
   * Reason for the event. `'resumed'`: the build is that of an earlier run. `'expired'`: the permits to upload had expired; where the build
   * is not parallel, one with new permits takes its place, and the old one stays incomplete.
   */
  readonly reason: 'new' | 'resumed' | 'expired';
  /** Images that are to be sent, and their bytes. */
  readonly missing: number;
  readonly missingBytes: number;
  /** Part of the upload that was prepared, from 1, and the number of parts: a large upload has several. */
  readonly part: number;
  readonly parts: number;
}

/**
 * Bytes of one image handed to the socket. The count goes back to 0 when an attempt is repeated, and never reaches `total`: only `done`
 * shows that the server has everything.
 */
export interface ProgressEvent {
  readonly type: 'progress';
  readonly path: string;
  readonly attempt: number;
  readonly loaded: number;
  readonly total: number;
}

/** A request waits before it is sent, again or at all. */
export interface UploadWaitEvent {
  readonly type: 'wait';
  readonly step: 'create' | 'upload' | 'complete';
  /** The screenshot that waits, if one does. */
  readonly path?: string;
  /** The host behind the wait, without its port. */
  readonly host: string;
  /** End of the wait, wall clock in ms, for display. */
  readonly until: number;
  /** Length of the wait in ms. */
  readonly delay: number;
  /** Name of the rule: `'throttled'`, `'transient'`, or `'gate'`. */
  readonly kind: string;
  /** Origin of the delay: `'retryAfter'`, `'backoff'`, `'gate'`, ... */
  readonly source: string;
  /** The failed attempt, or the one about to be sent. */
  readonly attempt: number;
  /** The failed attempt's status, if it had one. */
  readonly status?: number;
  /** Failure in words. */
  readonly reason?: string;
  /** The failure after which the request waits. */
  readonly error?: unknown;
  /** Requests that stand before this one at a gate, and quota windows that are still to pass. */
  readonly position?: number;
  readonly windowsLeft?: number;
  /** Number of files that have arrived so far, and of all files. */
  readonly arrived: number;
  readonly files: number;
}

/** A screenshot has arrived. */
export interface DoneEvent {
  readonly type: 'done';
  readonly path: string;
  readonly bytes: number;
  readonly key: string;
  /**
   * Way in which the file arrived. `'sent'`; `'kept'`: the server had its bytes already; `'duplicate'`: its bytes went with another file of
   * this build.
   */
  readonly how: 'sent' | 'kept' | 'duplicate';
  /** Attempts that the file took; 0 for one that was not sent. */
  readonly attempts: number;
  /** Status of the response to a file that was sent. */
  readonly status?: number;
  readonly arrived: number;
  readonly files: number;
}

/** A screenshot could not be sent; the others go on. The build will not be completed, unless files may be missing. */
export interface FailedEvent {
  readonly type: 'failed';
  readonly path: string;
  readonly bytes: number;
  /** Reason in one line that may be shown. */
  readonly reason: string;
  /** Remedy in one line that may be shown. */
  readonly remedy: string;
  readonly error: unknown;
  readonly attempts: number;
}

/** The build is complete: all files that are to arrive have, and the API knows the names. */
export interface CompletedEvent {
  readonly type: 'completed';
  readonly build: Build;
  /** Requests that it took to register all names. */
  readonly requests: number;
}

/** Reason for which an upload stops before its end: as many files failed as `maxFailures` says, its `deadline` passed, or its `abort$` emitted. */
export type StopReason = 'max-failures' | 'deadline' | 'aborted';

/** Outcome of the upload; always the last event. */
export interface SummaryEvent {
  readonly type: 'summary';
  readonly build: Build;
  /** True if the build is complete: every file arrived, or those that failed may be missing. */
  readonly completed: boolean;
  /** Reason for which the upload was stopped before its end, if it was. */
  readonly stopped?: StopReason;
  readonly files: number;
  readonly arrived: number;
  readonly failed: number;
  /** Number of arrived files that the server had already, and of those whose bytes went with another file. */
  readonly kept: number;
  readonly duplicates: number;
  /** Bytes of the files that arrived, and of those that were sent for them. */
  readonly bytes: number;
  readonly sentBytes: number;
  /** Requests handed to the network, retries included, and how many of them were answered 429. */
  readonly requests: number;
  readonly throttled: number;
  /** Milliseconds in which at least one request waited, and milliseconds of the whole upload. */
  readonly waited: number;
  readonly elapsed: number;
}

/**
 * Event of `uploadBuild`, tagged by `type`: `hashed` for each file, `created`, then `progress`, `done` and `failed` as the files go,
 * `completed` when none failed, `summary`; `wait` in between wherever a request waits.
 */
export type UploadBuildEvent =
  HashedEvent | CreatedEvent | ProgressEvent | UploadWaitEvent | DoneEvent | FailedEvent | CompletedEvent | SummaryEvent;
