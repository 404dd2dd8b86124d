import type { UploadFile } from '../UploadTarget.js';
import type { PlacedFile } from './inspecting.js';

/** Files of a part whose keys are all known. */
export interface HashedPart {
  readonly type: 'part';
  /** Number of the part, from 1. */
  readonly index: number;
  readonly total: number;
  readonly files: readonly UploadFile[];
}

/** Sorts hashed files, which come in any order, into parts of a given size; hands the parts over in their order, once it is opened. */
export class PartSorter {
  readonly #files: number;
  readonly #partSize: number;
  readonly #total: number;
  readonly #collected = new Map<number, { readonly files: UploadFile[]; count: number }>();
  #next = 0;
  #isOpen = false;

  /**
   * @param files number of all files; without any there is one part, an empty one
   * @param partSize the most files of a part
   */
  constructor(files: number, partSize = Infinity) {
    this.#files = files;
    this.#partSize = Math.max(Math.min(partSize, files), 1);
    this.#total = Math.max(Math.ceil(files / this.#partSize), 1);
  }

  /** Takes a file; returns the parts that may go now. */
  add({ index, file }: PlacedFile<UploadFile>): HashedPart[] {
    const place = Math.floor(index / this.#partSize);
    const part = this.#collected.get(place) ?? { files: [], count: 0 };
    part.files[index - place * this.#partSize] = file;
    part.count++;
    this.#collected.set(place, part);
    return this.#ready();
  }

  /** Lets the parts go from now on; returns those that are whole by then. */
  open(): HashedPart[] {
    this.#isOpen = true;
    return this.#ready();
  }

  #ready(): HashedPart[] {
    const ready: HashedPart[] = [];
    while (this.#isOpen && this.#next < this.#total) {
      const { files, count } = this.#collected.get(this.#next) ?? { files: [], count: 0 };
      if (count < Math.min(this.#partSize, this.#files - this.#next * this.#partSize)) break;
      this.#collected.delete(this.#next);
      this.#next++;
      ready.push({ type: 'part', index: this.#next, total: this.#total, files });
    }
    return ready;
  }
}
