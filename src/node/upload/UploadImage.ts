import type { UploadFile } from '../UploadTarget.js';

/** Bytes that are to be had at the target once, and the files that hold them. */
export class UploadImage {
  /** Files that share the bytes; the first is the one that is sent. */
  readonly files: [UploadFile, ...UploadFile[]];
  /** Set once it has arrived or failed. */
  outcome?: { readonly type: 'arrived' } | { readonly type: 'failed'; readonly error: unknown };

  constructor(
    /** Key or name, as the target addresses. */
    readonly address: string,
    first: UploadFile,
  ) {
    this.files = [first];
  }

  /** The file that is sent. */
  get file(): UploadFile {
    return this.files[0];
  }
}
