import type { HeadersLike } from './HeadersLike.js';

/**
 * Names of the fields in lower case, of headers that can list them: by `keys()`, as `Headers` and Angular's `HttpHeaders`, or as pairs, as
 * those of axios. Others have none.
 */
export function fieldNames(headers: HeadersLike): readonly string[] {
  const names = headers.keys?.() ?? (isPairs(headers) ? Array.from(headers, ([name]) => name) : []);
  return Array.from(names, (name) => name.toLowerCase());
}

function isPairs(headers: object): headers is Iterable<readonly [string, unknown]> {
  return Symbol.iterator in headers;
}
