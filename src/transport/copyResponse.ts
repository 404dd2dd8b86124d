import { hidden } from '../request/errors/ColdfetchError.js';

/** `response` with another body. */
export function copyResponse(response: Response, body: ReadableStream<Uint8Array> | null): Response {
  const { status, statusText, headers } = response;
  // Servers may send statuses up to 999; scripts cannot make a Response of more than 599.
  return labelled(new Response(body, { status: Math.min(status, 599), statusText, headers }), response);
}

/** Gives `copy`, and clones of it, the properties that a script cannot give a Response. */
function labelled(copy: Response, { status, ok, url, redirected, type }: Response): Response {
  const clone = (): Response => labelled(Response.prototype.clone.call(copy), copy);
  for (const [name, value] of Object.entries({ status, ok, url, redirected, type, clone })) hidden(copy, name, value);
  return copy;
}
