import { createHash } from 'node:crypto';
import { readFile as readWithCallback } from 'node:fs';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inspect, promisify } from 'node:util';
import type { CacheEntry, CacheStore } from '../read/cache/CacheStore.js';
import { BYTE_LIMIT, checkOptions, requireThat } from '../request/checkOptions.js';
import { wallClock } from '../time.js';
import { decodeEntry, encodeEntry } from './files/cacheFile.js';
import { isMissing } from './files/fileErrors.js';
import { removeAbandoned } from './files/removeAbandoned.js';
import { slots } from './files/slots.js';
import { writeAtomically } from './files/writeAtomically.js';

/** Name of an entry's file. Other files in the folder are left alone. */
const ENTRY = /^[\da-f]{64}\.cache$/;
/** The callback API is a good deal faster than `node:fs/promises`, which opens a FileHandle (measured). */
const readFile = promisify(readWithCallback);
/** Number of files that are open at once. */
const OPEN_FILES = 32;
/** Time after which a hit marks its file as used again, in ms: most hits need not write. */
const MARK_EVERY = 60_000;
/** Most files whose marks are remembered; a hit on another one has to look. */
const MARKS = 10_000;
/** Share of `maxBytes` that is left when old entries have been removed, so that not every new entry has to remove some. */
const SWEPT_TO = 0.9;

/** Options of {@link fileCache}. */
export interface FileCacheOptions {
  /** Most bytes of all entries together; 512 MiB by default. A larger entry is not kept. */
  readonly maxBytes?: number;
}

/** Store of a {@link fileCache}. */
export interface FileCache extends CacheStore {
  get(key: string): Promise<CacheEntry | undefined>;
  set(key: string, entry: CacheEntry): Promise<boolean>;
  delete(key: string): Promise<void>;
}

/**
 * Keeps a cache's answers in a folder, one file each, for the next run and for other processes: several may use one folder at once.
 *
 * Files are written beside their place and renamed into it. A file that is torn or damaged in spite of that does not match its digest and is a
 * miss. When the folder is full, the files that were not used for longest go first. Names are hashes of the keys; only the user may read the
 * files, which hold answers as they came, secrets included. What else is in the folder is left alone.
 *
 * A folder that cannot be used costs requests, never an answer; `Cache-Status` says `detail=store-failed` then.
 *
 * @param folder is made when the first answer is kept; a relative one is below the working directory of now
 *
 * @example
 * const http = createClient({ cache: httpCache({ store: fileCache('.cache/http') }) });
 *
 * @throws UsageError for a folder that is no path, unknown options, and a `maxBytes` that is no positive number
 */
export function fileCache(folder: string, options: FileCacheOptions = {}): FileCache {
  checkOptions('fileCache', options, { rules: { maxBytes: BYTE_LIMIT } });
  const { maxBytes = 536_870_912 } = options;
  requireThat(typeof folder === 'string' && folder !== '', 'fileCache', 'folder', inspect(folder), 'the path of a folder');
  const inTurn = slots(OPEN_FILES);
  const root = resolve(folder);
  const pathOf = (key: string): string => join(root, `${createHash('sha256').update(key).digest('hex')}.cache`);
  /** Moments at which files were marked as used, as far as they are known here. */
  const marks = new Map<string, number>();
  /** The sum of the files at the last count, plus the bytes written since; other processes write too. */
  let total: Promise<number> | undefined;

  async function sweep(limit: number): Promise<number> {
    await removeAbandoned(root, ENTRY);
    const files = await listFiles(root, inTurn);
    let bytes = files.reduce((sum, file) => sum + file.size, 0);
    if (bytes <= limit) return bytes;
    for (const { path, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= limit * SWEPT_TO) break;
      await rm(path, { force: true });
      bytes -= size;
    }
    return bytes;
  }

  async function count(written: number): Promise<void> {
    total = (total ?? sweep(maxBytes)).then((sum) => (sum + written > maxBytes ? sweep(maxBytes) : sum + written));
    await total.catch(() => {
      total = undefined;
    });
  }

  // A folder that can only be read, or a file that has just gone, does not spoil a hit.
  async function markUsed(path: string): Promise<void> {
    const now = wallClock();
    if (now - (marks.get(path) ?? -Infinity) < MARK_EVERY) return;
    if (marks.size >= MARKS) marks.clear();
    marks.set(path, now);
    try {
      const { mtimeMs } = await stat(path);
      if (now - mtimeMs > MARK_EVERY) await utimes(path, now / 1000, now / 1000);
    } catch {
      // The entry goes a little earlier than it should.
    }
  }

  return {
    get: (key) =>
      inTurn(async () => {
        const path = pathOf(key);
        try {
          const entry = decodeEntry(await readFile(path));
          if (entry) await markUsed(path);
          return entry;
        } catch (error) {
          if (isMissing(error)) return undefined;
          throw error;
        }
      }),
    async set(key, entry) {
      const parts = encodeEntry(entry);
      const size = parts.reduce((sum, part) => sum + part.length, 0);
      if (size > maxBytes) {
        await rm(pathOf(key), { force: true });
        return false;
      }
      await inTurn(() => writeAtomically(pathOf(key), parts));
      await count(size);
      return true;
    },
    delete: (key) => inTurn(() => rm(pathOf(key), { force: true })),
  };
}

interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly usedAt: number;
}

/** The entries of the folder. */
async function listFiles(folder: string, inTurn: ReturnType<typeof slots>): Promise<FoundFile[]> {
  const names = await readdir(folder);
  const found = await Promise.all(
    names
      .filter((name) => ENTRY.test(name))
      .map((name) =>
        inTurn(async (): Promise<FoundFile[]> => {
          const path = join(folder, name);
          try {
            const { size, mtimeMs } = await stat(path);
            return [{ path, size, usedAt: mtimeMs }];
          } catch (error) {
            // Another process was faster.
            if (isMissing(error)) return [];
            throw error;
          }
        }),
      ),
  );
  return found.flat();
}
