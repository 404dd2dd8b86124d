import { appendFile, rm, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isBodyError, isUsageError } from 'coldfetch';
import { describe, expect, it } from 'vitest';
import { fileContent } from '../../../src/node/files/fileContent.js';
import { inspectFile } from '../../../src/node/files/inspectFile.js';
import { folderOf } from '../../support/folderOf.js';

const CHUNK = 65_536;

/** A file of so many bytes, and its stamp. */
async function fileOf(bytes: number) {
  const path = join(await folderOf({ 'a.bin': 'x'.repeat(bytes) }), 'a.bin');
  return { path, stamp: await inspectFile(path) };
}

/** The body of a file as a stream. */
async function streamOf(...args: Parameters<typeof fileContent>): Promise<ReadableStream<Uint8Array>> {
  return (await fileContent(...args)).stream;
}

async function chunksOf(stream: ReadableStream<Uint8Array>): Promise<number[]> {
  const lengths: number[] = [];
  for await (const chunk of stream) lengths.push(chunk.byteLength);
  return lengths;
}

describe('fileContent', () => {
  const type = 'image/png';
  const head = new Uint8Array(Buffer.from('<'));
  const tail = new Uint8Array(Buffer.from('>'));

  it.each([0, 1, CHUNK, CHUNK + 1, 3 * CHUNK])('gives a file of %i bytes and what surrounds it', async (bytes) => {
    const { path, stamp } = await fileOf(bytes);
    const body = await fileContent(path, stamp, { type, head, tail });
    expect([body.length, body.type]).toEqual([bytes + 2, type]);
    expect((await buffer(body.stream)).toString()).toBe(`<${'x'.repeat(bytes)}>`);
    expect((await buffer(await streamOf(path, stamp, { type }))).byteLength).toBe(bytes);
  });

  it('is in memory where the file fits into a chunk', async () => {
    const { path, stamp } = await fileOf(CHUNK - 2);
    const body = await fileContent(path, stamp, { type, head, tail });
    expect(body.bytes).toHaveLength(CHUNK);
    expect(await chunksOf(body.stream)).toEqual([CHUNK]);
  });

  it('reads a longer one chunk by chunk', async () => {
    const { path, stamp } = await fileOf(CHUNK);
    expect(await chunksOf(await streamOf(path, stamp, { type, head, tail }))).toEqual([1, CHUNK, 1]);
  });

  it.each<[string, number, (path: string) => Promise<void>]>([
    ['is longer', 10, (path) => appendFile(path, 'y')],
    ['is shorter', 10, (path) => truncate(path, 5)],
    ['is empty', 10, (path) => truncate(path, 0)],
    ['was empty', 0, (path) => appendFile(path, 'y')],
    ['was written again', 10, (path) => utimes(path, 1, 1)],
    ['is longer, and long', CHUNK + 1, (path) => appendFile(path, 'y')],
  ])('fails where the file %s by now', async (_, bytes, change) => {
    const { path, stamp } = await fileOf(bytes);
    await change(path);
    const error: unknown = await streamOf(path, stamp, { type })
      .then(buffer)
      .catch((reason: unknown) => reason);
    expect([isBodyError(error), String(error)]).toEqual([true, expect.stringContaining(`${path} changed after it was first looked at`)]);
  });

  it.each([1, CHUNK + 1])('fails where the file of %i bytes is gone by now', async (bytes) => {
    const { path, stamp } = await fileOf(bytes);
    await rm(path);
    const error: unknown = await streamOf(path, stamp, { type })
      .then(buffer)
      .catch((reason: unknown) => reason);
    expect([isUsageError(error), String(error)]).toEqual([true, `UsageError: ${path} does not exist`]);
  });
});
