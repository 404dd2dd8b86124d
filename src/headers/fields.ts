import type { HeadersLike } from './HeadersLike.js';

/**
 * A field's value as text, whatever a foreign `headers.get` made of it: axios keeps numbers and lists as they were set. `undefined` for a
 * missing field and for what is no text.
 */
export function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map((each) => textOf(each) ?? '').join(', ');
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** True if an answer comes out of a cache (RFC 9111 section 5.1): what it says of quotas was true some time ago. */
export function isCached(headers: HeadersLike): boolean {
  return Number(textOf(headers.get('age')) ?? 0) > 0;
}

/**
 * Names of the fields in lower case, of headers that can list them: by `keys()`, as `Headers` and Angular's `HttpHeaders`, or as pairs, as
 * those of axios. Others have none.
 */
export function fieldNames(headers: HeadersLike): readonly string[] {
  // Those of the platform are in lower case already.
  if (headers instanceof Headers) return [...headers.keys()];
  const names = headers.keys?.() ?? (isPairs(headers) ? Array.from(headers, ([name]) => name) : []);
  return Array.from(names, (name) => name.toLowerCase());
}

function isPairs(headers: object): headers is Iterable<readonly [string, unknown]> {
  return Symbol.iterator in headers;
}

/**
 * Header fields that can be read, whoever's they are: a field that a foreign `get` throws on is missing. So the failure that they came with
 * stays the failure.
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
