import type { StreamBody } from '../../request/RequestBody.js';
import type { FileStamp } from './FileStamp.js';
import { readChunks, readWhole } from './readChunks.js';
import { CHUNK } from '../../request/defaults.js';

const NOTHING = new Uint8Array();

/** Media type of a file, and the bytes around its own, as a form has them. */
export interface FileContentOptions {
  /** Media type. */
  readonly type: string;
  readonly head?: Uint8Array | undefined;
  readonly tail?: Uint8Array | undefined;
}

/**
 * A file as a body. One that fits into a chunk, with what surrounds it, is read at once: a stream costs an upload more than the bytes of such a file do.
 * A longer one is a stream, which reads it as fast as it is read itself.
 *
 * Fails as `readChunks`: at once, or in the stream.
 */
export async function fileContent(
  path: string,
  stamp: FileStamp,
  { type, head = NOTHING, tail = NOTHING }: FileContentOptions,
): Promise<StreamBody> {
  const length = head.byteLength + stamp.bytes + tail.byteLength;
  if (length > CHUNK) return { stream: ReadableStream.from(chunksOf(path, stamp, head, tail)), length, type };
  const bytes = new Uint8Array(length);
  bytes.set(head);
  await readWhole(path, stamp, bytes.subarray(head.byteLength));
  bytes.set(tail, head.byteLength + stamp.bytes);
  return new FileBytes(bytes, type);
}

async function* chunksOf(path: string, stamp: FileStamp, head: Uint8Array, tail: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (head.byteLength > 0) yield head;
  yield* readChunks(path, stamp);
  if (tail.byteLength > 0) yield tail;
}

/** Bytes of a file that was read; a stream of them for who asks for one. */
class FileBytes implements StreamBody {
  readonly length: number;
  #stream: ReadableStream<Uint8Array> | undefined;

  constructor(
    readonly bytes: Uint8Array,
    readonly type: string,
  ) {
    this.length = bytes.byteLength;
  }

  get stream(): ReadableStream<Uint8Array> {
    return (this.#stream ??= ReadableStream.from(this.length > 0 ? [this.bytes] : []));
  }
}
