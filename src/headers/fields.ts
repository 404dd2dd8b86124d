import type { HeadersLike } from './HeadersLike.js';

/**
 * A field's value as text, in whichever form a foreign `headers.get` returns it: axios keeps numbers and lists as they were set.
 * `undefined` for a missing field and for a value that is not text.
 */
export function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map((each) => textOf(each) ?? '').join(', ');
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** True if a response comes out of a cache (RFC 9111 section 5.1): its quota fields are out of date. */
export function isCached(headers: HeadersLike): boolean {
  return Number(textOf(headers.get('age')) ?? 0) > 0;
}

/**
 * Names of the fields in lower case, of headers that can list them: by `keys()`, like `Headers` and Angular's `HttpHeaders`, or as pairs,
 * like those of axios. Other headers give no names.
 */
export function fieldNames(headers: HeadersLike): readonly string[] {
  // Names given by the platform's `Headers` are in lower case already.
  if (headers instanceof Headers) return [...headers.keys()];
  const names = headers.keys?.() ?? (isPairs(headers) ? Array.from(headers, ([name]) => name) : []);
  return Array.from(names, (name) => name.toLowerCase());
}

function isPairs(headers: object): headers is Iterable<readonly [string, unknown]> {
  return Symbol.iterator in headers;
}

/**
 * Header fields that never throw: a field that a foreign `get` throws on counts as missing, so that the request's own failure stays the
 * failure.
 */
export function readable(headers: HeadersLike): HeadersLike {
  if (headers instanceof Headers) return headers;
  return {
    get: (name) => attempt(() => headers.get(name)) ?? null,
    keys: () => attempt(() => fieldNames(headers)) ?? [],
  };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
