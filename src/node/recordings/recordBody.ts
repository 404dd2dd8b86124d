import { createHash } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openNew, temporaryName } from '../files/writeAtomically.js';
import type { Recording } from './Recording.js';

/** Where an answer is recorded. */
export interface Place {
  readonly name: string;
  /** The name of the answer to the next request of this kind. */
  readonly after: string;
}

/**
 * A stream that gives the chunks of `body` and writes each to a file before it gives it: it reads as fast as its reader, holds one chunk, and
 * nothing is held back until the whole has been written.
 *
 * @param place is asked for when the body is over: the file is named after it and what it holds, so that two recordings never mix
 * @param whole hears of the file when the body has been written to its end (before the reader sees the end), or as far as it was read
 */
export function recordBody(
  body: ReadableStream<Uint8Array>,
  folder: string,
  place: () => Place,
  whole: (place: Place, file: Recording['body'], complete: boolean) => Promise<void>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const hash = createHash('sha256');
  const temporary = temporaryName(join(folder, 'body'));
  // Opened by the first chunk: what nobody reads leaves nothing behind.
  let file: Awaited<ReturnType<typeof openNew>> | undefined;
  let bytes = 0;

  async function finish(complete: boolean): Promise<void> {
    await file?.close();
    const at = place();
    if (!file) return whole(at, null, complete);
    const final = `${at.name}.${hash.digest('hex').slice(0, 12)}.body`;
    await rename(temporary, join(folder, final));
    await whole(at, { file: final, bytes }, complete);
  }

  async function abandon(): Promise<void> {
    await file?.close().catch(() => undefined);
    await rm(temporary, { force: true });
  }

  /** Writes the next chunk; undefined: there is none. */
  async function next(): Promise<Uint8Array | undefined> {
    const { done, value } = await reader.read();
    if (done) return undefined;
    file ??= await openNew(temporary);
    await file.writeFile(value);
    hash.update(value);
    bytes += value.byteLength;
    return value;
  }

  let pending: Promise<Uint8Array | undefined> = Promise.resolve(undefined);
  let cancelled = false;

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await (pending = next());
          if (cancelled) return;
          if (chunk) {
            controller.enqueue(chunk);
          } else {
            await finish(true);
            controller.close();
          }
        } catch (error) {
          await abandon();
          controller.error(error);
        }
      },
      async cancel(reason) {
        cancelled = true;
        await reader.cancel(reason);
        // A chunk that was on its way is still being written.
        await pending.catch(() => undefined);
        await finish(false);
      },
    },
    { highWaterMark: 0 },
  );
}
