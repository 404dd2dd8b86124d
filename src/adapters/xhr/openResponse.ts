import { pageUrl } from '../../request/urls.js';
import type { XmlHttpRequest } from './XmlHttpRequest.js';

/** Statuses whose answers have no body; a Response of them refuses one. */
const BODILESS = [204, 205, 304];

/** An answer whose body is still to come, and what it comes by. */
export interface OpenResponse {
  readonly response: Response;
  /** All the bytes are there. */
  end(bytes: Uint8Array): void;
  /** The body broke off. */
  fail(error: unknown): void;
}

/**
 * The head of an answer as a Response. Its body comes in one piece when all of it has arrived, since XMLHttpRequest hands out no bytes before;
 * cancelling it aborts the request.
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
  const response = new Response(BODILESS.includes(status) ? null : stream, { status, statusText, headers });
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

/** The header fields that a page may see: across origins the safelisted ones, and those that the server exposes. */
function headersOf(xhr: XmlHttpRequest): Headers {
  const lines = xhr.getAllResponseHeaders().split('\r\n');
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Headers(fields.filter(([name]) => name !== ''));
}
