import { pageUrl } from '../../request/urls.js';
import type { XmlHttpRequest } from './XmlHttpRequest.js';
import { NULL_BODY_STATUSES } from '../../transport/guardBody.js';

/** A response whose body is still to come, with the functions that bring it. */
export interface OpenResponse {
  readonly response: Response;
  /** Ends the body: all the bytes are there. */
  end(bytes: Uint8Array): void;
  /** Fails the body: it broke off. */
  fail(error: unknown): void;
}

/**
 * The head of a response as a Response. Its body comes in one piece when all of it has arrived, since XMLHttpRequest hands out no bytes
 * before; cancelling it aborts the request.
 */
export function openResponse(xhr: XmlHttpRequest, url: string): OpenResponse {
  const { status, statusText, responseURL } = xhr;
  const body: { controller?: ReadableStreamDefaultController<Uint8Array> } = {};
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      body.controller = controller;
    },
    cancel: () => {
      delete body.controller;
      xhr.abort();
    },
  });
  const headers = headersOf(xhr);
  const response = new Response(NULL_BODY_STATUSES.includes(status) ? null : stream, { status, statusText, headers });
  const asked = new URL(url, pageUrl()).href.replace(/#.*$/s, '');
  const answered = responseURL || asked;
  for (const [name, value] of Object.entries({ url: answered, redirected: answered !== asked })) {
    Object.defineProperty(response, name, { value, configurable: true });
  }
  return {
    response,
    end: (bytes) => {
      if (bytes.byteLength > 0) body.controller?.enqueue(bytes);
      body.controller?.close();
    },
    fail: (error) => {
      body.controller?.error(error);
    },
  };
}

/** The header fields that scripts of a page may see: across origins the safelisted ones, and those that the server exposes. */
function headersOf(xhr: XmlHttpRequest): Headers {
  const lines = xhr.getAllResponseHeaders().split('\r\n');
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Headers(fields.filter(([name]) => name !== ''));
}
