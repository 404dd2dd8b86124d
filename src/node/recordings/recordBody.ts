import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openNew, temporaryName } from '../files/writeAtomically.js';

/** The bytes of a body, or of the part that was read, in a file that has no final name yet. */
export interface WrittenBody {
  readonly path: string;
  /** Short digest of the bytes. */
  readonly digest: string;
  readonly bytes: number;
}

/**
 * A stream that writes each chunk of `body` to a file before it passes the chunk on: it reads as fast as its reader and holds one chunk,
 * and nothing is held back until the whole has been written.
 *
 * @param over receives the file when the body has been written to its end (before the reader sees the end), or the part that was read;
 * null: there was nothing to write
 */
export function recordBody(
  body: ReadableStream<Uint8Array>,
  folder: string,
  over: (written: WrittenBody | null, complete: boolean) => Promise<void>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const hash = createHash('sha256');
  const path = temporaryName(join(folder, 'body'));
  // The file is opened by the first chunk: an unread body leaves nothing behind.
  let file: Awaited<ReturnType<typeof openNew>> | undefined;
  let bytes = 0;

  async function finish(complete: boolean): Promise<void> {
    await file?.close();
    await over(file ? { path, digest: hash.digest('hex').slice(0, 12), bytes } : null, complete);
  }

  async function abandon(): Promise<void> {
    await file?.close().catch(() => undefined);
    await rm(path, { force: true });
  }

  /** Writes the next chunk; undefined: there is none. */
  async function next(): Promise<Uint8Array | undefined> {
    const { done, value } = await reader.read();
    if (done) return undefined;
    file ??= await openNew(path);
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
        // A chunk in flight is still being written.
        await pending.catch(() => undefined);
        await finish(false);
      },
    },
    { highWaterMark: 0 },
  );
}
