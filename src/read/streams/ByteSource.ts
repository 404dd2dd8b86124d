import { isObservable, type Observable } from 'rxjs';
import type { ResponseEvent } from '../../request/HttpEvent.js';
import { bodyControl } from '../../transport/bodyControl.js';
import type { IdleTimeout } from '../../transport/idleTimeout.js';
import { responseOf } from '../../transport/responseOf.js';

/** A client's answer with `responseType: 'stream'`. */
export type StreamedResponse = ResponseEvent<ReadableStream<Uint8Array> | null>;

/**
 * Where bytes come from: a response, its body, or an observable of chunks. `null`, the body of an answer that has none, is as good as an empty
 * one.
 */
export type ByteSource = Response | StreamedResponse | ReadableStream<Uint8Array> | Observable<Uint8Array> | null;

/** The answer that bytes come from, where that is known. */
export function answerBehind(source: ByteSource): Response | StreamedResponse | undefined {
  if (source === null || isObservable(source)) return undefined;
  return 'getReader' in source ? responseOf(source) : source;
}

/** Takes over the idle timeout of the request that bytes come from, where it has one: from now on their reader decides how long silence may be. */
export function takeIdleTimeout(source: ByteSource): IdleTimeout | undefined {
  const answer = answerBehind(source);
  const response = answer && 'attempt' in answer ? responseOf(answer.headers) : answer;
  return response && bodyControl(response)?.takeIdleTimeout();
}
