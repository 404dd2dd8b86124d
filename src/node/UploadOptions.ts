/** Options of `uploadTo`. */
export interface UploadOptions {
  /** Files sent at once, 1 or more; 10 by default. */
  readonly concurrency?: number | undefined;
  /**
   * Path of a file in which the upload takes notes, so that a later run resumes it where this one was killed: the same build, and nothing of what has
   * arrived is sent again. It is removed when the upload is complete. Another commit, or files that have changed, start anew. None by default.
   */
  readonly journal?: string | undefined;
}
