import type { UploadFile } from '../UploadTarget.js';

/** Outcome of an image. */
export type Outcome = { readonly type: 'arrived' } | { readonly type: 'failed'; readonly error: unknown };

/** Bytes that the target needs once, and the files that hold them. An upload of many files has as many of these: they are small. */
export class UploadImage {
  /** Outcome of the image, set once it has arrived or failed. */
  outcome: Outcome | undefined;
  #duplicates: UploadFile[] | undefined;

  constructor(
    /** Address of the image: its key or name, as the target addresses. */
    readonly address: string,
    /** The file that is sent. */
    readonly file: UploadFile,
  ) {}

  /** Files that share the bytes; the first is the one that is sent. */
  get files(): readonly UploadFile[] {
    return [this.file, ...(this.#duplicates ?? [])];
  }

  /** Adds a file of the same bytes. */
  addDuplicate(file: UploadFile): void {
    (this.#duplicates ??= []).push(file);
  }
}
