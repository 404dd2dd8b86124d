import type { UploadRow, UploadTrace } from '../UploadTrace.js';

/** Content of the page's data element. */
export interface PageData {
  readonly trace: UploadTrace;
  /** Images of files as `data:` URLs, by their names. */
  readonly thumbnails: Readonly<Record<string, string>>;
  /** For a page that follows an upload: version of the trace. */
  readonly live?: number;
}

/** The trace that the page shows now, and where its images are. */
export interface Shown {
  trace: UploadTrace;
  readonly imageOf: (row: UploadRow, index: number) => string | undefined;
}
