/** Length and time of a file at one moment; when either differs later, the file has changed. */
export interface FileStamp {
  /** Length of the file. */
  readonly bytes: number;
  /** Moment at which the file was last written, wall clock in ms. */
  readonly modified: number;
}
