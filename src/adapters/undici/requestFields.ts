import { mediaTypeOf, type OutgoingBody } from '../../transport/outgoingBody.js';

/** Fields that `fetch` sends unless the caller does. */
const AS_FETCH: readonly (readonly [name: string, value: string])[] = [
  ['accept', '*/*'],
  ['accept-language', '*'],
  ['sec-fetch-mode', 'cors'],
  ['user-agent', 'node'],
];

/** Fields by which a request gets past the caches on its way (Fetch standard, HTTP-network-or-cache fetch, steps 16 and 17). */
const BY_CACHE_MODE: Readonly<Record<string, readonly string[]>> = {
  'no-cache': ['cache-control', 'max-age=0'],
  'no-store': ['pragma', 'no-cache', 'cache-control', 'no-cache'],
  reload: ['pragma', 'no-cache', 'cache-control', 'no-cache'],
};

/** The header fields of a request as undici takes them, names and values in turn: the caller's, and what `fetch` adds to them. */
export function requestFields(headers: Headers, body: OutgoingBody | undefined, encrypted: boolean, cache = 'default'): string[] {
  const fields: string[] = [];
  headers.forEach((value, name) => {
    fields.push(name, value);
  });
  const add = (name: string, value: string): void => {
    if (!headers.has(name)) fields.push(name, value);
  };
  for (const [name, value] of AS_FETCH) add(name, value);
  // A part of encoded bytes could not be decoded.
  add('accept-encoding', headers.has('range') ? 'identity' : encrypted ? 'br, gzip, deflate' : 'gzip, deflate');
  const validated = headers.has('if-none-match') || headers.has('if-modified-since');
  const [name, value, more, most] = (validated ? undefined : BY_CACHE_MODE[cache]) ?? [];
  if (name !== undefined && value !== undefined) add(name, value);
  if (more !== undefined && most !== undefined) add(more, most);
  const type = body && (body.type ?? mediaTypeOf(body.body));
  if (type) add('content-type', type);
  // With its exact length a stream is sent un-chunked.
  if (body?.streamed === true && body.total !== undefined) add('content-length', String(body.total));
  return fields;
}
