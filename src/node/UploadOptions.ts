import type { Observable } from 'rxjs';

/** Options of `uploadTo`. */
export interface UploadOptions {
  /** Files sent at once, 1 or more; 10 by default. */
  readonly concurrency?: number | undefined;
  /**
   * Path of a file in which the upload keeps a journal, so that a later run resumes it where this one was killed: the same build, without
   * sending files again that have arrived. The journal is removed when the upload is complete. Another commit, or changed files, start
   * anew. None by default.
   */
  readonly journal?: string | undefined;
  /**
   * Number of failed files at which the upload stops: the other files are not sent, and nothing is completed. By default a failed file
   * stops no other.
   */
  readonly maxFailures?: number | undefined;
  /** Milliseconds for the whole upload, after which it stops. None by default. */
  readonly deadline?: number | undefined;
  /**
   * Observable that stops the upload when it emits: requests in flight are aborted, nothing is completed, and the summary says so. It is
   * subscribed once; its completion has no effect, and its error is that of the upload. None by default.
   */
  readonly abort$?: Observable<unknown> | undefined;
  /** True if an upload is completed without the files that failed, unless all did. `false` by default. */
  readonly allowMissing?: boolean | undefined;
}
