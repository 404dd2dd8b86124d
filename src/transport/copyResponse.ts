/** `response` with another body. */
export function copyResponse(response: Response, body: ReadableStream<Uint8Array> | null): Response {
  const { status, statusText, headers, ok } = response;
  // Servers may send statuses up to 999; scripts cannot make a Response of more than 599.
  if (status < 600) return labelled(new Response(body, { status, statusText, headers }), response);
  const copy = labelled(new Response(body, { statusText, headers }), response);
  return Object.defineProperties(copy, { status: { value: status, configurable: true }, ok: { value: ok, configurable: true } });
}

/** Gives `copy`, and clones of it, the properties that a script cannot give a Response. */
function labelled(copy: Response, { url, redirected, type }: Response): Response {
  const clone = (): Response => labelled(Response.prototype.clone.call(copy), copy);
  return Object.defineProperties(copy, {
    url: { value: url, configurable: true },
    redirected: { value: redirected, configurable: true },
    type: { value: type, configurable: true },
    clone: { value: clone, configurable: true },
  });
}
