import { UsageError } from '../request/errors/UsageError.js';
import { type Body, type FetchBody, isAsyncIterable, isStreamBody, isUsedStream } from '../request/RequestBody.js';
import { countBytes } from './countBytes.js';

/** A body in the form that `fetch` gets for one attempt, and what is known of it. */
export interface OutgoingBody {
  readonly body: FetchBody;
  /** Its length in bytes, where known. */
  readonly total: number | undefined;
  /** Its media type, where `fetch` would not find it by itself. */
  readonly type?: string | undefined;
  /** Whether its bytes are counted as they leave; what is not counted has no timeout until the headers arrive. */
  readonly counted: boolean;
  /** Whether it was made a stream: it needs `duplex` and its own `content-length`. */
  readonly streamed: boolean;
  /** Whether it is not in memory (a file, a stream): only `redirect: 'error'` keeps it so. */
  readonly external: boolean;
}

/** Hears the bytes handed to the socket so far, and how many there are. */
export type UploadProgress = (loaded: number, total: number | undefined) => void;

/** Up to here a body is handed over as it is and counts as sent at once: it fits in the buffers of a socket. */
const AT_ONCE = 65_536;

/** Whether streams can be sent over HTTP/1 and redirects be seen: on Node and its kin. */
export const onNode = 'process' in globalThis && typeof globalThis.process.versions.node === 'string';

/**
 * Makes a body's way out visible. On Node large bodies go out as counted streams, which stop with `signal` (after an abort undici reads any
 * other to its end, measured on 20, 22 and 24); a browser sends them as they are, uncounted.
 */
export function countBody(body: Body, signal: AbortSignal, progress: UploadProgress): OutgoingBody {
  const stream = (
    source: ReadableStream<Uint8Array>,
    total: number | undefined,
    type: string | undefined,
    external: boolean,
  ): OutgoingBody => {
    if (isUsedStream(source))
      throw new UsageError('The body function gave a stream that was already read or is locked; make it anew each time');
    const counted = countBytes(
      source,
      (loaded) => {
        progress(loaded, total);
      },
      signal,
    );
    return { body: counted, total, type, counted: true, streamed: true, external };
  };
  if (isStreamBody(body)) return stream(body.stream, body.length, body.type, true);
  if (body instanceof ReadableStream) return stream(body, undefined, undefined, true);
  if (isAsyncIterable(body)) return stream(streamOf(body), undefined, undefined, true);
  const total = sizeOf(body);
  const small = total !== undefined && total <= AT_ONCE;
  if (!small && onNode && isBlobPart(body)) {
    const blob = body instanceof Blob ? body : new Blob([body]);
    return stream(blob.stream(), blob.size, typeof body === 'string' ? 'text/plain;charset=UTF-8' : blob.type, body instanceof Blob);
  }
  return { body, total, counted: small, streamed: false, external: false };
}

function isBlobPart(body: FetchBody): body is string | Blob | ArrayBuffer | NodeJS.ArrayBufferView {
  return typeof body === 'string' || body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
}

function sizeOf(body: FetchBody): number | undefined {
  if (typeof body === 'string') return body.length > AT_ONCE ? body.length : new TextEncoder().encode(body).length;
  if (body instanceof Blob) return body.size;
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return body.byteLength;
  if (body instanceof URLSearchParams) return body.toString().length;
  if (body instanceof FormData) {
    return [...body].reduce((size, [name, value]) => size + name.length + (typeof value === 'string' ? value.length : value.size), 0);
  }
  return undefined;
}

function streamOf(body: AsyncIterable<Uint8Array | string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = body[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: (controller) =>
      iterator.next().then(({ done, value }) => {
        if (done === true) controller.close();
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      }),
    cancel: (reason) => iterator.return?.(reason).then(() => undefined),
  });
}
