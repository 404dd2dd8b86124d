import { type FileHandle, open } from 'node:fs/promises';
import { BodyError } from '../../request/errors/BodyError.js';
import { fileProblem } from './fileErrors.js';
import type { FileStamp } from './FileStamp.js';

/** Bytes read at a time. */
export const CHUNK = 65_536;

/**
 * The bytes of a file, chunk by chunk. It is opened at the first chunk and closed at the end, at an error, and when the reader leaves.
 *
 * Before the last chunk is handed over the file has to be as long and as old as `expected` says, so that a reader that reaches the end has read
 * one version of it.
 *
 * @param buffer memory of `CHUNK` bytes for all chunks, where the reader is done with each before it asks for the next; by default each chunk has its own
 * @throws BodyError when the file has changed, UsageError when it cannot be opened; both name the path
 */
export async function* readChunks(path: string, expected: FileStamp, buffer?: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await openFile(path);
  try {
    if (!(await isAsExpected(file, expected))) throw changed(path);
    for (let at = 0; at < expected.bytes;) {
      const length = Math.min(CHUNK, expected.bytes - at);
      const chunk = buffer ?? new Uint8Array(length);
      const { bytesRead } = await file.read(chunk, 0, length, at);
      at += bytesRead;
      if (bytesRead === 0 || (at === expected.bytes && !(await isAsExpected(file, expected)))) throw changed(path);
      yield chunk.subarray(0, bytesRead);
    }
  } catch (error) {
    throw fileProblem(path, error);
  } finally {
    await file.close();
  }
}

/**
 * Reads a file of one chunk at most into `buffer`, from its beginning on, in half the steps of {@link readChunks}, to which the system's calls cost
 * more than all else.
 *
 * @throws as {@link readChunks}
 */
export async function readWhole(path: string, expected: FileStamp, buffer: Uint8Array): Promise<void> {
  const file = await openFile(path);
  try {
    for (let at = 0; at < expected.bytes;) {
      const { bytesRead } = await file.read(buffer, at, expected.bytes - at, at);
      if (bytesRead === 0) throw changed(path);
      at += bytesRead;
    }
    if (!(await isAsExpected(file, expected))) throw changed(path);
  } catch (error) {
    throw fileProblem(path, error);
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw fileProblem(path, error);
  }
}

function changed(path: string): BodyError {
  return new BodyError(`${path} changed after it was first looked at; send it again when nothing writes to it`);
}

async function isAsExpected(file: FileHandle, { bytes, modified }: FileStamp): Promise<boolean> {
  const stats = await file.stat();
  return stats.size === bytes && stats.mtimeMs === modified;
}
