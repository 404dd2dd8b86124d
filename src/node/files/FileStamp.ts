/** Length and time of a file at one moment; when either differs later, the file has changed. */
export interface FileStamp {
  /** Its length. */
  readonly bytes: number;
  /** When it was last written, wall clock in ms. */
  readonly modified: number;
}
