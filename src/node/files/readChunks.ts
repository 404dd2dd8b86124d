import { closeSync, fstatSync, open, read } from 'node:fs';
import { BodyError } from '../../request/errors/BodyError.js';
import { fileProblem } from './fileErrors.js';
import type { FileStamp } from './FileStamp.js';
import { CHUNK } from '../../request/defaults.js';

/**
 * The bytes of a file, chunk by chunk. The file is opened at the first chunk and closed at the end, at an error, and when the reader
 * leaves.
 *
 * Before the last chunk is handed over the file has to be as long and as old as `expected` says, so that a reader that reaches the end has read
 * one version of it.
 *
 * @param buffer memory of `CHUNK` bytes for all chunks, where the reader is done with each before it asks for the next; by default each chunk has its own
 * @throws BodyError when the file has changed, UsageError when it cannot be opened; both name the path
 */
export async function* readChunks(path: string, expected: FileStamp, buffer?: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const file = await openFile(path);
    try {
      requireStamp(path, file, expected);
      for (let at = 0; at < expected.bytes;) {
        const length = Math.min(CHUNK, expected.bytes - at);
        const chunk = buffer ?? new Uint8Array(length);
        const count = await readPiece(file, chunk, { at: 0, length, position: at });
        at += count;
        if (count === 0) throw changed(path);
        if (at === expected.bytes) requireStamp(path, file, expected);
        yield chunk.subarray(0, count);
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/**
 * Reads a file of one chunk at most into `buffer`, from its beginning, in half the steps of {@link readChunks}: the system's calls cost a
 * small file more than all else.
 *
 * @throws the errors of {@link readChunks}
 */
export async function readWhole(path: string, expected: FileStamp, buffer: Uint8Array): Promise<void> {
  try {
    const file = await openFile(path);
    try {
      for (let at = 0; at < expected.bytes;) {
        const count = await readPiece(file, buffer, { at, length: expected.bytes - at, position: at });
        if (count === 0) throw changed(path);
        at += count;
      }
      requireStamp(path, file, expected);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/*
 * The callbacks of `node:fs`, since its promises take twice the processor time (measured on Node 20). What waits for no disk, the state of an open
 * file and its end, takes less than handing it to another thread does.
 */

function openFile(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, 'r', (error, file) => {
      if (error) reject(error);
      else resolve(file);
    });
  });
}

/** Reads a piece of a file into `buffer` from `at` on; gives the number of bytes, 0 at the end. */
function readPiece(
  file: number,
  buffer: Uint8Array,
  { at, length, position }: { readonly at: number; readonly length: number; readonly position: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    read(file, buffer, at, length, position, (error, count) => {
      if (error) reject(error);
      else resolve(count);
    });
  });
}

function changed(path: string): BodyError {
  return new BodyError(`${path} changed after it was first looked at; send it again when nothing writes to it`);
}

function requireStamp(path: string, file: number, { bytes, modified }: FileStamp): void {
  const stats = fstatSync(file);
  if (stats.size !== bytes || stats.mtimeMs !== modified) throw changed(path);
}
