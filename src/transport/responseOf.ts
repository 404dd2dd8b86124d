import { hidden } from '../request/errors/ColdfetchError.js';
import type { ResponseEvent } from '../request/HttpEvent.js';

/**
 * Key under which the parts of a response that were handed on hold the response. A WeakMap of all would cost the garbage collector more.
 */
const RESPONSE = Symbol('response');

/**
 * The event of a response whose body is handed on unread. The Response lives as long as the event or the stream: undici cancels the body of
 * a Response that is garbage-collected (its own FinalizationRegistry). The stream is made when it is first looked at, since a guarded one
 * is made with it.
 */
export function handOn(response: Response, head: Omit<ResponseEvent, 'body'>): ResponseEvent {
  const { type, attempt, status, headers, url } = head;
  const event: ResponseEvent = {
    type,
    attempt,
    status,
    headers,
    url,
    get body(): ReadableStream<Uint8Array> | null {
      const stream: ReadableStream<Uint8Array> | null = response.body;
      if (stream) remember(stream, response);
      return stream;
    },
  };
  remember(headers, response);
  remember(event, response);
  return event;
}

/** The response that an event, its header fields or its body were made of; a copy of the event has none. */
export function responseOf(part: object): Response | undefined {
  return (part as { readonly [RESPONSE]?: Response })[RESPONSE];
}

function remember(part: object, response: Response): void {
  if (Object.isExtensible(part)) hidden(part, RESPONSE, response);
}
