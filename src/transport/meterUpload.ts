import { UsageError } from '../request/errors/UsageError.js';
import { bytesOf, isBytes } from '../request/bodyShapes.js';
import type { Watchdog } from '../time.js';
import { seesRedirects } from './platform.js';
import { CHUNK } from '../request/defaults.js';

/** The part of a stream's reader that sending needs. */
export type ChunkReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;

/** Listener to the bytes of one body on their way out. */
export interface UploadMeter {
  /** Idle timeout, paused while the body's own source makes its next bytes. */
  readonly idle: Pick<Watchdog, 'touch' | 'pause'>;
  /** Receives the number of bytes handed to the socket so far, and the length of the body, where known. */
  readonly progress: (loaded: number, total: number | undefined) => void;
  /** Receives the error of the body's own source. */
  readonly failed: (error: unknown) => void;
}

/**
 * The bytes of a body as a stream that is read as fast as the network takes them, at most 64 KiB at a time, and that reports them to
 * `meter`. When `signal` aborts it stops reading its source: undici reads the source to its end otherwise (measured on Node 20, 22 and 24).
 */
export function meterUpload(
  reader: ChunkReader,
  total: number | undefined,
  { idle, progress, failed }: UploadMeter,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let loaded = 0;
  let rest: Uint8Array | undefined;
  let settled = false;
  let stop = (): void => undefined;
  const settle = (): void => {
    settled = true;
    signal.removeEventListener('abort', stop);
  };

  const send = (controller: ReadableStreamDefaultController<Uint8Array>, bytes: Uint8Array): void => {
    rest = bytes.byteLength > CHUNK ? bytes.subarray(CHUNK) : undefined;
    const chunk = rest ? bytes.subarray(0, CHUNK) : bytes;
    loaded += chunk.byteLength;
    idle.touch();
    controller.enqueue(chunk);
    progress(loaded, total);
  };

  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): PromiseLike<void> | undefined => {
    if (rest) {
      send(controller, rest);
      return undefined;
    }
    idle.pause();
    return reader
      .read()
      .then(({ done, value }) => {
        // Bun cancels a stream whose announced length has been sent, before it has ended.
        if (signal.aborted || settled) return undefined;
        if (done) {
          idle.touch();
          settle();
          controller.close();
          return undefined;
        }
        const bytes = toBytes(value);
        // An empty chunk would leave the stream waiting for the next one forever.
        if (bytes.byteLength === 0) return pull(controller);
        send(controller, bytes);
        return undefined;
      })
      .then(undefined, (error: unknown) => {
        settle();
        controller.error(error);
        failed(error);
      });
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stop = () => {
          // A browser's `fetch` has the signal itself; after its own failure it would leave the error of its stream unhandled (Chromium).
          if (seesRedirects) controller.error(signal.reason);
          else settle();
          cancel(reader, signal.reason);
        };
        signal.addEventListener('abort', stop, { once: true });
      },
      pull,
      cancel: (reason) => {
        settle();
        cancel(reader, reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** A reader of bytes in memory. */
export function bytesReader(bytes: Uint8Array): ChunkReader {
  let left: Uint8Array | undefined = bytes;
  return {
    read: () => {
      const value = left;
      left = undefined;
      return Promise.resolve(value ? { done: false, value } : { done: true, value: undefined });
    },
    cancel: () => {
      left = undefined;
      return Promise.resolve();
    },
  };
}

/** A reader of a Blob in pieces: its own stream gives one that is in memory as one chunk (Node 20 to 26). */
export function blobReader(blob: Blob): ChunkReader {
  let at = 0;
  return {
    read: () => {
      if (at >= blob.size) return Promise.resolve({ done: true, value: undefined });
      const piece = blob.slice(at, at + CHUNK);
      at += CHUNK;
      return piece.arrayBuffer().then((buffer) => ({ done: false, value: new Uint8Array(buffer) }));
    },
    cancel: () => {
      at = blob.size;
      return Promise.resolve();
    },
  };
}

/**
 * A reader of an async iterable, as Node's own streams are; text is sent as UTF-8. The first read begins at once: a stream of Node that fails
 * before anybody reads it ends the process.
 */
export function iterableReader(iterable: AsyncIterable<Uint8Array | string>): ChunkReader {
  const encoder = new TextEncoder();
  const iterator = iterable[Symbol.asyncIterator]();
  let first: ReturnType<typeof iterator.next> | undefined = iterator.next();
  first.then(undefined, () => undefined);
  return {
    read: () => {
      const next = first ?? iterator.next();
      first = undefined;
      return next.then(({ done, value }) =>
        done === true ? { done, value: undefined } : { done: false, value: typeof value === 'string' ? encoder.encode(value) : value },
      );
    },
    cancel: (reason) => iterator.return?.(reason).then(() => undefined) ?? Promise.resolve(),
  };
}

function toBytes(chunk: unknown): Uint8Array {
  if (isBytes(chunk)) return bytesOf(chunk);
  throw new UsageError(`The body stream gave a chunk that is ${typeof chunk}; give it as a Uint8Array`);
}

// A source's result of being cancelled concerns nobody any more.
function cancel(reader: ChunkReader, reason: unknown): void {
  reader.cancel(reason).then(undefined, () => undefined);
}
