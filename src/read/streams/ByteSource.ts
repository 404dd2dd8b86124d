import { isObservable, type Observable } from 'rxjs';
import type { ResponseEvent } from '../../request/HttpEvent.js';
import { bodyControl } from '../../transport/bodyControl.js';
import type { IdleTimeout } from '../../transport/idleTimeout.js';
import { responseOf } from '../../transport/responseOf.js';

/** A client's response with `responseType: 'stream'`. */
export type StreamedResponse = ResponseEvent<ReadableStream<Uint8Array> | null>;

/**
 * Source of bytes: a response, its body, or an observable of chunks. `null`, the body of a response that has none, counts as an empty one.
 */
export type ByteSource = Response | StreamedResponse | ReadableStream<Uint8Array> | Observable<Uint8Array> | null;

/** Response that the bytes come from, where that is known. */
export function answerBehind(source: ByteSource): Response | StreamedResponse | undefined {
  if (source === null || isObservable(source)) return undefined;
  return 'getReader' in source ? responseOf(source) : source;
}

/**
 * Takes over the idle timeout of the request that the bytes come from, where it has one: from now on the reader of the bytes decides how
 * long silence may be.
 */
export function takeIdleTimeout(source: ByteSource): IdleTimeout | undefined {
  const answer = answerBehind(source);
  const response = answer && 'attempt' in answer ? responseOf(answer.headers) : answer;
  return response && bodyControl(response)?.takeIdleTimeout();
}
