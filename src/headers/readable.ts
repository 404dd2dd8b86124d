import { fieldNames } from './fieldNames.js';
import type { HeadersLike } from './HeadersLike.js';

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
