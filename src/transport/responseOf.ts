/** The answers whose unread bodies were handed on. */
const responses = new WeakMap<ReadableStream, Response>();

/**
 * Hands on an answer's unread body without its Response. The Response lives as long as the stream: undici cancels the body of one that is
 * garbage-collected (its own FinalizationRegistry).
 */
export function handOn(response: Response): ReadableStream<Uint8Array> | null {
  if (response.body) responses.set(response.body, response);
  return response.body;
}

/** The answer that a handed-on body belongs to, if it does to one. */
export function responseOf(body: unknown): Response | undefined {
  return body instanceof ReadableStream ? responses.get(body) : undefined;
}
