import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../../files/makeFolder.js';

/** A file that arrived whole, under a temporary name until it is kept. */
export interface ReceivedFile {
  readonly path: string;
  readonly bytes: number;
  /** Digest in hex. */
  readonly sha256: string;
}

/** The files: `files/KEY`. Files being received are in `incoming/`, and never become a file half-written. */
export class FileStore {
  readonly #files: string;
  readonly #incoming: string;
  readonly #running = new Set<Promise<unknown>>();

  private constructor(folder: string) {
    this.#files = join(folder, 'files');
    this.#incoming = join(folder, 'incoming');
  }

  /** Opens the folder; files in `incoming/` from a process that died are removed. */
  static async open(folder: string): Promise<FileStore> {
    const store = new FileStore(folder);
    await rm(store.#incoming, { recursive: true, force: true });
    makeFolder(store.#incoming);
    makeFolder(store.#files);
    return store;
  }

  /** Existing keys. It reads the disk, so a file removed by hand is asked for again. */
  async keys(): Promise<ReadonlySet<string>> {
    return new Set(await readdir(this.#files));
  }

  /** Streams `source` to disk. Rejects, leaving nothing, when the source breaks off. */
  receive(source: Readable): Promise<ReceivedFile> {
    return this.#track(this.#write(source));
  }

  /** Makes a received file the one of `key`, at once and whole. */
  keep(file: ReceivedFile, key: string): Promise<void> {
    return this.#track(rename(file.path, join(this.#files, key.toLowerCase())));
  }

  /** Removes a received file that is not wanted. */
  drop(path: string): Promise<void> {
    return this.#track(rm(path, { force: true }));
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  async #write(source: Readable): Promise<ReceivedFile> {
    const path = join(this.#incoming, randomUUID());
    const hash = createHash('sha256');
    let bytes = 0;
    const measured = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    };
    try {
      await pipeline(source, measured, createWriteStream(path, { flags: 'wx' }));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { path, bytes, sha256: hash.digest('hex') };
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const entry = work.finally(() => this.#running.delete(entry));
    this.#running.add(entry);
    return entry;
  }
}
