import { createHash } from 'node:crypto';
import { UsageError } from '../../request/errors/UsageError.js';
import { randomId } from '../../request/randomId.js';
import type { Build } from '../UploadBuildEvent.js';
import type { InspectedFile, UploadFile } from '../UploadTarget.js';
import { type JournalEntry, JournalFile } from './JournalFile.js';

/** Version of the entries. */
const VERSION = 1;

/** Key of a file, with the stamp that the file had then. */
type NotedKey = Pick<UploadFile, 'key' | 'stamp'>;

/** Entries of a journal that was read. */
interface Contents {
  readonly uploadId: string;
  readonly identity: string;
  /** Digest of names, lengths and times of all files. */
  readonly files: string;
  readonly keys: ReadonlyMap<string, NotedKey>;
  readonly build: Build | undefined;
  /** Addresses of images that are in the build. */
  readonly arrived: Set<string>;
}

/**
 * Journal of an upload, by which a later run resumes it: the keys of files, the build, and the files that have arrived there. An upload
 * with another content starts anew; the keys of unchanged files still hold.
 */
export class Journal {
  readonly #file: JournalFile;
  readonly #path: string;
  readonly #keys: ReadonlyMap<string, NotedKey>;
  readonly #waiting: UploadFile[] = [];
  #contents: Contents | undefined;
  #hasBegun = false;

  private constructor(path: string, file: JournalFile, contents: Contents | undefined) {
    this.#path = path;
    this.#file = file;
    this.#contents = contents;
    this.#keys = contents?.keys ?? new Map();
  }

  /** Reads the journal at a path. @throws UsageError that names the path where it is damaged, of another version, or unreadable */
  static open(path: string): Journal {
    const { file, entries } = JournalFile.read(path);
    return new Journal(path, file, readContents(path, entries));
  }

  /** Key of an unchanged file. */
  keyOf({ name, stamp }: InspectedFile): string | undefined {
    const known = this.#keys.get(name);
    return known?.stamp.bytes === stamp.bytes && known.stamp.modified === stamp.modified ? known.key : undefined;
  }

  /**
   * Begins the journal: goes on where the upload is the same as the noted one, else starts anew.
   *
   * @param identity of the target
   * @param files all of them, in their order
   */
  begin(identity: string, files: readonly InspectedFile[]): void {
    const digest = createHash('sha256');
    for (const { name, stamp } of files) digest.update(JSON.stringify([name, stamp.bytes, stamp.modified]));
    const given = { identity, files: digest.digest('hex') };
    this.#hasBegun = true;
    if (this.#contents?.identity !== given.identity || this.#contents.files !== given.files) {
      this.#contents = { ...given, uploadId: randomId(), keys: new Map(), build: undefined, arrived: new Set() };
      this.#file.clear();
      this.#file.add({ journal: VERSION, uploadId: this.#contents.uploadId, ...given });
    }
    for (const file of this.#waiting.splice(0)) this.hashed(file);
  }

  /** Id of the upload. */
  get uploadId(): string {
    return this.#begun.uploadId;
  }

  /** The build of an earlier run. */
  get build(): Build | undefined {
    return this.#begun.build;
  }

  /** True if an image is in the build of an earlier run. */
  hasArrived(address: string): boolean {
    return this.#begun.arrived.has(address);
  }

  /** Notes the key of a file. */
  hashed(file: UploadFile): void {
    const { name, key, stamp } = file;
    if (!this.#hasBegun) this.#waiting.push(file);
    else if (this.#begun.keys.get(name)?.key !== key) this.#file.add({ hashed: name, key, ...stamp });
  }

  /** Notes the build that the files go to. Images that had arrived in another build have not arrived in this one. */
  created({ id, url }: Build): void {
    if (this.#begun.build?.id === id) return;
    this.#contents = { ...this.#begun, build: { id, url }, arrived: new Set() };
    this.#file.add({ created: id, url });
  }

  /** Notes that an image is in the build. */
  arrived(address: string): void {
    if (this.hasArrived(address)) return;
    this.#begun.arrived.add(address);
    this.#file.add({ arrived: address });
  }

  /** Closes the journal; a later run may go on with it. */
  close(): void {
    this.#file.close();
  }

  /** Removes the journal: the upload is complete. */
  remove(): void {
    this.#file.remove();
  }

  get #begun(): Contents {
    if (!this.#contents) throw new Error(`The journal ${this.#path} has not begun`);
    return this.#contents;
  }
}

function readContents(path: string, [head, ...entries]: readonly JournalEntry[]): Contents | undefined {
  if (head === undefined) return undefined;
  if (head.journal !== VERSION) throw new UsageError(`${path} is not a journal of this version; remove it to start anew`);
  const keys = new Map<string, NotedKey>();
  const arrived = new Set<string>();
  let build: Build | undefined;
  for (const { hashed, key, bytes, modified, created, url, arrived: address } of entries) {
    if (typeof hashed === 'string' && typeof key === 'string') {
      keys.set(hashed, { key, stamp: { bytes: Number(bytes), modified: Number(modified) } });
    }
    if (typeof created === 'string' && typeof url === 'string') {
      build = { id: created, url };
      arrived.clear();
    }
    if (typeof address === 'string') arrived.add(address);
  }
  return { uploadId: String(head.uploadId), identity: String(head.identity), files: String(head.files), keys, build, arrived };
}
