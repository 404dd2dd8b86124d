import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { concat, concatMap, defer, EMPTY, from, map, mergeMap, type Observable, type ObservableInput, reduce, tap, toArray } from 'rxjs';
import { UsageError } from '../../request/errors/UsageError.js';
import { inspectFile } from '../files/inspectFile.js';
import { readChunks } from '../files/readChunks.js';
import type { FileStamp } from '../files/FileStamp.js';
import type { Screenshot } from '../Screenshot.js';
import type { HashedEvent } from '../UploadBuildEvent.js';
import type { HashedFile, UploadJob } from './UploadJob.js';

/** Limits of the API. */
const LIMITS = { bytes: 50 * 1024 * 1024, images: 5_000 } as const;
/** Files read at once: more would not make a disk faster. */
const READERS = 4;
/** Files that a message names. */
const NAMED = 5;

type Inspected = Screenshot & { readonly stamp: FileStamp };

/**
 * Reads all files once: looks at every one first, so that what cannot be sent is named before anything is, then computes their keys.
 *
 * Errors: UsageError that names the files that are missing, unreadable, empty or too large, and for two files of one name.
 */
export function hashing(job: UploadJob, screenshots: ObservableInput<Screenshot>): Observable<HashedEvent> {
  return from(screenshots).pipe(
    toArray(),
    concatMap(inspectAll),
    concatMap((found) => {
      const hashed: HashedFile[] = [];
      const read$ = from(found.entries()).pipe(
        mergeMap(([index, file]) => hash(file).pipe(map((key) => ({ index, file: { ...file, key } }))), READERS),
        tap(({ index, file }) => (hashed[index] = file)),
        map(({ file: { name, key, stamp } }, count): HashedEvent => ({
          type: 'hashed',
          path: name,
          bytes: stamp.bytes,
          key,
          hashed: count + 1,
          files: found.length,
        })),
      );
      const keep$ = defer(() => {
        job.files = hashed;
        const { length } = job.images;
        if (length > LIMITS.images)
          throw new UsageError(`${length} different images; a build takes at most ${LIMITS.images}, split them over several`);
        return EMPTY;
      });
      return concat(read$, keep$);
    }),
  );
}

function hash({ path, stamp }: Inspected): Observable<string> {
  return defer(() => readChunks(path, stamp)).pipe(
    reduce((sum, chunk) => sum.update(chunk), createHash('sha256')),
    map((sum) => sum.digest('hex')),
  );
}

async function inspectAll(screenshots: readonly Screenshot[]): Promise<Inspected[]> {
  const odd = screenshots.findIndex((file) => !isScreenshot(file));
  if (odd >= 0) {
    const shown = inspect(screenshots[odd], { breakLength: Infinity });
    throw new UsageError(`uploadBuild: a file is ${shown}; give a Screenshot, { path, name, contentType }, as screenshots(dir) does`);
  }
  const names = new Set<string>();
  for (const { name } of screenshots) {
    if (names.has(name)) throw new UsageError(`Two files are named ${name}; a name is unique in a build`);
    names.add(name);
  }
  const looks = await Promise.allSettled(
    screenshots.map(async (file): Promise<Inspected> => ({ ...file, stamp: await inspectFile(file.path) })),
  );
  const problems = looks.flatMap((look) => (look.status === 'rejected' ? [messageOf(look.reason)] : misfit(look.value)));
  if (problems.length > 0) {
    const more = problems.length - NAMED;
    throw new UsageError(`${problems.slice(0, NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''} (nothing was sent)`);
  }
  return looks.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []));
}

function isScreenshot(value: unknown): value is Screenshot {
  const { path, name, contentType } = Object(value) as Partial<Record<keyof Screenshot, unknown>>;
  return [path, name, contentType].every((field) => typeof field === 'string');
}

function misfit({ path, stamp: { bytes } }: Inspected): string[] {
  if (bytes === 0) return [`${path} is empty (0 bytes)`];
  if (bytes > LIMITS.bytes)
    return [`${path} has ${(bytes / 1024 / 1024).toFixed(1)} MiB; the API takes at most ${LIMITS.bytes / 1024 / 1024} MiB a file`];
  return [];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
