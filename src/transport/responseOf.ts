import { hidden } from '../request/errors/ColdfetchError.js';

/** Key under which a body and header fields that were handed on hold their answer. A WeakMap of all would cost the garbage collector more. */
const RESPONSE = Symbol('response');

/**
 * Hands on an answer's unread body without its Response. The Response lives as long as the stream: undici cancels the body of one that is
 * garbage-collected (its own FinalizationRegistry).
 */
export function handOn(response: Response): ReadableStream<Uint8Array> | null {
  for (const part of [response.headers, response.body]) if (part && Object.isExtensible(part)) hidden(part, RESPONSE, response);
  return response.body;
}

/** The answer that a handed-on body or handed-on header fields belong to, if they do to one. */
export function responseOf(part: ReadableStream<Uint8Array> | Headers): Response | undefined {
  return (part as { readonly [RESPONSE]?: Response })[RESPONSE];
}
