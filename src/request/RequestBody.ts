import { isAsyncIterable, isFormStream, isReadableStream } from './bodyShapes.js';

/** A body as the platform's `fetch` takes it. */
export type FetchBody = NonNullable<RequestInit['body']>;

/** A stream that says how long it is and what it holds. */
export interface StreamBody {
  /** The bytes; read once. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Length of the stream in bytes: sent as `content-length`; without it the body goes out chunked, which S3 presigned PUTs refuse. */
  readonly length?: number;
  /** Media type of the stream: sent as `content-type` unless the headers name one. */
  readonly type?: string;
  /** All of its bytes, where they are in memory already: up to 64 KiB are sent in one piece, and the stream is left alone. */
  readonly bytes?: Uint8Array;
}

/** A body that can be sent. */
export type Body = FetchBody | StreamBody;

/**
 * Makes the body anew, once for each attempt, so that even a stream can be sent again. `signal` aborts when the attempt ends early: pipe
 * through it (`stream.pipeThrough(transform, { signal })`), since after an abort undici reads a body to its end otherwise (measured on Node
 * 20, 22 and 24).
 */
export type BodyFunction = (context: { readonly signal: AbortSignal }) => Body | PromiseLike<Body>;

/** A body, or a function that makes it for each attempt. */
export type RequestBody = Body | BodyFunction;

/** True if `body` is a stream with its description. */
export function isStreamBody(body: unknown): body is StreamBody {
  if (typeof body !== 'object' || body === null || !('stream' in body)) return false;
  return ('bytes' in body && body.bytes instanceof Uint8Array) || isReadableStream(body.stream);
}

/** True if a failed attempt leaves `body` as it was, so that it can be sent again. */
export function isReplayableBody(body: unknown): boolean {
  return !(isStreamBody(body) || isReadableStream(body) || isAsyncIterable(body) || isFormStream(body));
}

/** True if `stream` is being read, or has been. */
export function isUsedStream(stream: ReadableStream): boolean {
  if (stream.locked) return true;
  try {
    // A stream that was read to its end is neither locked nor marked in any other way; a Response refuses it.
    return !new Response(stream);
  } catch {
    return true;
  }
}
