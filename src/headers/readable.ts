import type { HeadersLike } from './HeadersLike.js';

/**
 * Header fields that can be read, whoever's they are: a field that a foreign `get` throws on is missing. So the failure that they came with
 * stays the failure.
 */
export function readable(headers: HeadersLike): HeadersLike {
  return headers instanceof Headers ? headers : { get: (name) => attempt(() => headers.get(name)) };
}

function attempt(get: () => string | null): string | null {
  try {
    return get();
  } catch {
    return null;
  }
}
