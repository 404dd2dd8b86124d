/** The answers whose unread bodies were handed on, by body and by header fields. */
const responses = new WeakMap<object, Response>();

/**
 * Hands on an answer's unread body without its Response. The Response lives as long as the stream: undici cancels the body of one that is
 * garbage-collected (its own FinalizationRegistry).
 */
export function handOn(response: Response): ReadableStream<Uint8Array> | null {
  responses.set(response.headers, response);
  if (response.body) responses.set(response.body, response);
  return response.body;
}

/** The answer that a handed-on body or handed-on header fields belong to, if they do to one. */
export function responseOf(part: ReadableStream<Uint8Array> | Headers): Response | undefined {
  return responses.get(part);
}
