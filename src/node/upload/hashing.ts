import { createHash } from 'node:crypto';
import {
  concatMap,
  connect,
  defer,
  endWith,
  finalize,
  from,
  ignoreElements,
  last,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  tap,
} from 'rxjs';
import { elapsed } from '../../time.js';
import { readChunks, readWhole } from '../files/readChunks.js';
import type { HashedEvent } from '../UploadBuildEvent.js';
import type { InspectedFile, UploadFile } from '../UploadTarget.js';
import { inspecting, type Screenshots } from './inspecting.js';
import { type HashedPart, PartSorter } from './PartSorter.js';
import type { UploadJob } from './UploadJob.js';
import { CHUNK } from '../../request/defaults.js';

/** Files read at once: more would not make a disk faster. */
const READERS = 4;

/** Notice that every file was inspected. */
const ALL_INSPECTED = Symbol('all looked at');

/**
 * Reads all files once and computes their keys, while others are still inspected. A part is handed over when its files are read, but none
 * before every file of the upload was inspected. An upload of no files has one part, an empty one.
 */
export function hashing(job: UploadJob<unknown>, screenshots: Screenshots): Observable<HashedEvent | HashedPart> {
  return defer(() => {
    let hashed = 0;
    let sorter: PartSorter | undefined;
    const buffers: Uint8Array[] = [];
    const inspected: InspectedFile[] = [];
    const begin = (): HashedPart[] => {
      job.journal?.begin(job.target.identity ?? '', inspected.splice(0));
      return parts().open();
    };
    const parts = (): PartSorter => (sorter ??= new PartSorter(job.files, job.target.partSize));
    return inspecting(job, screenshots).pipe(
      tap(({ index, file }) => job.journal && (inspected[index] = file)),
      connect((looked$) =>
        merge(
          looked$.pipe(
            mergeMap(
              ({ index, file }) => keyOf(job, file, buffers).pipe(map(({ key, took }) => ({ index, took, file: { ...file, key } }))),
              READERS,
            ),
            tap(({ file }) => job.journal?.hashed(file)),
          ),
          looked$.pipe(ignoreElements(), endWith(ALL_INSPECTED)),
        ),
      ),
      concatMap((step) => (step === ALL_INSPECTED ? from(begin()) : of(hashedEvent(step, ++hashed, job.files), ...parts().add(step)))),
    );
  });
}

/** A file's key, and the milliseconds that it took to compute. */
interface Hash {
  readonly key: string;
  readonly took: number;
}

/** The file's key from the journal, else from the bytes. */
function keyOf({ journal }: UploadJob<unknown>, file: InspectedFile, buffers: Uint8Array[]): Observable<Hash> {
  const key = journal?.keyOf(file);
  return key === undefined ? hash(file, buffers) : of({ key, took: 0 });
}

/** @param buffers memory into which no other file is read by now */
function hash({ path, stamp }: InspectedFile, buffers: Uint8Array[]): Observable<Hash> {
  return defer(() => {
    const began = elapsed();
    const buffer = buffers.pop() ?? new Uint8Array(CHUNK);
    const sum = createHash('sha256');
    const summed$: Observable<unknown> =
      stamp.bytes <= CHUNK
        ? from(readWhole(path, stamp, buffer)).pipe(tap(() => sum.update(buffer.subarray(0, stamp.bytes))))
        : from(readChunks(path, stamp, buffer)).pipe(
            tap((chunk) => sum.update(chunk)),
            last(),
          );
    return summed$.pipe(
      map(() => ({ key: sum.digest('hex'), took: elapsed() - began })),
      finalize(() => buffers.push(buffer)),
    );
  });
}

function hashedEvent({ file, took }: { file: UploadFile; took: number }, hashed: number, files: number): HashedEvent {
  const { name, key, stamp } = file;
  return { type: 'hashed', path: name, bytes: stamp.bytes, key, took, hashed, files };
}
