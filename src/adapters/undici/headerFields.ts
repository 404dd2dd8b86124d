import type { OutgoingBody } from '../../transport/outgoingBody.js';
import { mediaTypeOf } from '../../transport/platformBody.js';
import type { ParsedHeaders, RawHeaders } from './Dispatcher.js';

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

/** The header fields of a request as undici takes them, names and values in turn: the caller's, and those that `fetch` adds. */
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
  // A stream is sent un-chunked with its exact length.
  if (body?.streamed === true && body.total !== undefined) add('content-length', String(body.total));
  return fields;
}

/** Header fields of a response. Each byte of a value is one character, as with `fetch`. */
export function responseFields(raw: RawHeaders | ParsedHeaders): Headers {
  if (!isList(raw)) return parsedFields(raw, false);
  const headers = new Headers();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at], raw[at + 1]];
    if (name !== undefined && value !== undefined) headers.append(latin1(name), latin1(value));
  }
  return headers;
}

/**
 * Header fields of a response from a record.
 *
 * @param fromUtf8 true if undici has read the values as UTF-8
 */
export function parsedFields(parsed: ParsedHeaders, fromUtf8: boolean): Headers {
  const headers = new Headers();
  const append = (name: string, value: string): void => {
    headers.append(name, fromUtf8 ? Buffer.from(value).toString('latin1') : value);
  };
  for (const [name, value] of Object.entries(parsed)) {
    // A name that begins with a colon is a pseudo-header field of HTTP/2.
    if (name.startsWith(':')) continue;
    if (typeof value === 'string') append(name, value);
    else value?.forEach((each) => append(name, each));
  }
  return headers;
}

function latin1(text: Uint8Array | string): string {
  return typeof text === 'string' ? text : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('latin1');
}

function isList(headers: RawHeaders | ParsedHeaders): headers is RawHeaders {
  return Array.isArray(headers);
}
