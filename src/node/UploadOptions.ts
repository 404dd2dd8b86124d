/** Options of `uploadTo`. */
export interface UploadOptions {
  /** Files sent at once, 1 or more; 10 by default. */
  readonly concurrency?: number | undefined;
}
