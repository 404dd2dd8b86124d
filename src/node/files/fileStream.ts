import type { FileStamp } from './FileStamp.js';
import { CHUNK, readChunks, readWhole } from './readChunks.js';

const NOTHING = new Uint8Array();

/** Bytes around those of a file, as a form has them. */
export interface Surroundings {
  readonly head?: Uint8Array | undefined;
  readonly tail?: Uint8Array | undefined;
}

/**
 * A file as a stream, which reads it as fast as it is read itself. One that fits into a chunk is one chunk, with what surrounds it: a chunk costs an
 * upload more than its bytes do.
 *
 * Fails as `readChunks`.
 */
export function fileStream(
  path: string,
  stamp: FileStamp,
  { head = NOTHING, tail = NOTHING }: Surroundings = {},
): ReadableStream<Uint8Array> {
  if (stamp.bytes > CHUNK) return ReadableStream.from(chunksOf(path, stamp, head, tail));
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const whole = new Uint8Array(head.byteLength + stamp.bytes + tail.byteLength);
        whole.set(head);
        await readWhole(path, stamp, whole.subarray(head.byteLength));
        whole.set(tail, head.byteLength + stamp.bytes);
        controller.enqueue(whole);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* chunksOf(path: string, stamp: FileStamp, head: Uint8Array, tail: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (head.byteLength > 0) yield head;
  yield* readChunks(path, stamp);
  if (tail.byteLength > 0) yield tail;
}
