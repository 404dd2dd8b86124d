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
  const changed = (): BodyError => new BodyError(`${path} changed after it was first looked at; send it again when nothing writes to it`);
  const file = await open(path).catch((error: unknown) => {
    throw fileProblem(path, error);
  });
  try {
    if (!(await isAsExpected(file, expected))) throw changed();
    for (let at = 0; at < expected.bytes;) {
      const length = Math.min(CHUNK, expected.bytes - at);
      const chunk = buffer ?? new Uint8Array(length);
      const { bytesRead } = await file.read(chunk, 0, length, at);
      at += bytesRead;
      if (bytesRead === 0 || (at === expected.bytes && !(await isAsExpected(file, expected)))) throw changed();
      yield chunk.subarray(0, bytesRead);
    }
  } catch (error) {
    throw fileProblem(path, error);
  } finally {
    await file.close();
  }
}

async function isAsExpected(file: FileHandle, { bytes, modified }: FileStamp): Promise<boolean> {
  const stats = await file.stat();
  return stats.size === bytes && stats.mtimeMs === modified;
}
