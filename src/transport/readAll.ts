import { MAX_BYTES } from '../request/defaults.js';
import { BodyError } from '../request/errors/BodyError.js';

/** A body as it is read here: the platform's stream, or one whose reads settle at once where the bytes are there. */
export interface ReadableBody {
  getReader(): BodyReader;
}

/** A reader of a {@link ReadableBody}. */
export interface BodyReader {
  read(): { then(arrived: (chunk: BodyChunk) => void, failed: (error: unknown) => void): unknown };
  cancel(reason?: unknown): PromiseLike<unknown>;
}

/** Bytes of a body, or its end. */
export type BodyChunk =
  { readonly done: false; readonly value: Uint8Array } | { readonly done: true; readonly value?: Uint8Array | undefined };

/** Options of {@link readAll}. */
export interface ReadAllOptions {
  /** Most decoded bytes; one more is an error, or the end with `truncate`. */
  readonly maxBytes?: number | undefined;
  /** Receives the number of decoded bytes read so far. */
  readonly progress?: ((loaded: number) => void) | undefined;
  /** Receives the error that the body failed with, before anybody else. */
  readonly broken?: ((error: unknown) => void) | undefined;
  /** Ends with the bytes that fit and drops the rest, instead of an error. */
  readonly truncate?: boolean;
}

/** Ends the reading of a body early. */
export interface ReadHandle {
  /** Cancels the body, without a result. */
  readonly cancel: () => void;
  /** Cancels the rest of the body, and ends with the bytes so far. */
  readonly stop: () => void;
}

/**
 * Reads a body to its end: the one place that does. Calls `end` with all of its bytes, or `fail`, once.
 *
 * The reader calls nothing but `then` on the body's results, so that bodies whose reads are synchronous thenables are read in virtual time.
 */
export function readAll(
  body: ReadableBody,
  { maxBytes = MAX_BYTES, progress, broken, truncate = false }: ReadAllOptions,
  end: (bytes: Uint8Array) => void,
  fail: (error: unknown) => void,
): ReadHandle {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let loaded = 0;
  let over = false;
  let isReading = false;
  let settled = false;
  /** True on the first call: only the first end counts. */
  const ends = (): boolean => {
    const first = !over;
    over = true;
    return first;
  };
  const letGo = (): void => {
    reader.cancel().then(undefined, () => undefined);
  };
  const complete = (): void => {
    if (ends()) end(joinBytes(chunks, Math.min(loaded, maxBytes)));
  };
  const failed = (error: unknown): void => {
    if (ends()) fail(error);
  };
  const stop = (): void => {
    if (!over) letGo();
    complete();
  };
  const take = (chunk: Uint8Array): void => {
    chunks.push(chunk);
    loaded += chunk.byteLength;
    progress?.(loaded);
    if (loaded <= maxBytes || over) return;
    if (truncate) {
      stop();
      return;
    }
    letGo();
    failed(new BodyError(`The body is longer than ${maxBytes} bytes; raise maxBytes, or read it as a stream`));
  };
  const arrived = ({ done, value }: BodyChunk): void => {
    settled = true;
    if (done) complete();
    else if (!over) take(value);
    if (!isReading) readNext();
  };
  // A read that settles at once is handled in this loop, a later one by its own callback: there is no recursion, however many chunks there
  // are.
  const readNext = (): void => {
    isReading = true;
    settled = true;
    while (settled && !over) {
      settled = false;
      reader.read().then(arrived, (error: unknown) => {
        broken?.(error);
        failed(error);
      });
    }
    isReading = false;
  };
  readNext();
  return {
    stop,
    cancel: () => {
      if (ends()) letGo();
    },
  };
}

/** The first `length` bytes of `chunks` as one array; a single chunk that fits, and that has its buffer for itself, is not copied. */
export function joinBytes(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first?.byteLength === length && first.buffer.byteLength === length) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, length - at), at);
    at += chunk.byteLength;
  }
  return bytes;
}
