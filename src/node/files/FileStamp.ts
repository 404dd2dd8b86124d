/** What a file was like at one moment; when either differs later, it has changed. */
export interface FileStamp {
  /** Its length. */
  readonly bytes: number;
  /** When it was last written, wall clock in ms. */
  readonly modified: number;
}
