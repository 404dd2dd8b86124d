import type { UploadRow, UploadTrace } from '../UploadTrace.js';

/** Content of the page's data element. */
export interface PageData {
  readonly trace: UploadTrace;
  /** Images of files as `data:` URLs, by their names. */
  readonly thumbnails: Readonly<Record<string, string>>;
  /** Version of the trace, for a page that follows an upload. */
  readonly live?: number;
}

/** The trace that the page shows now, with the place of its images. */
export interface Shown {
  trace: UploadTrace;
  readonly imageOf: (row: UploadRow, index: number) => string | undefined;
}
