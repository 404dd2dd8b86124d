import { UsageError } from './errors/UsageError.js';

/** Header fields in any form that `Headers` takes. */
export type HeadersInit = NonNullable<RequestInit['headers']>;

/** Key of a mark on header fields. A WeakSet of them would cost the garbage collector more. */
const IMMUTABLE = Symbol('immutable');

/** Marks header fields that are never written to again: {@link toHeaders} shares them instead of copying. */
export function immutableHeaders(headers: Headers): Headers {
  return IMMUTABLE in headers ? headers : Object.defineProperty(headers, IMMUTABLE, { value: true });
}

/**
 * Header fields in the platform's class: a copy, unless they are immutable.
 *
 * @param place says where they were given, for the message; the value is left out, it may be a secret
 * @throws UsageError for a name or value that cannot be sent
 */
export function toHeaders(headers: HeadersInit | Headers | undefined, place: () => string): Headers {
  if (headers instanceof Headers && IMMUTABLE in headers) return headers;
  try {
    return new Headers(headers);
  } catch {
    const given = Object(headers) as object;
    const pairs = Symbol.iterator in given ? [...(given as Iterable<unknown>)] : Object.entries(given);
    const bad = pairs.find((pair) => !isField(pair));
    const name = Array.isArray(bad) ? JSON.stringify(bad[0]) : 'one of the header fields';
    throw new UsageError(
      `${place()}: ${name} cannot be sent; names are tokens, values have no line breaks and no characters beyond Latin-1`,
    );
  }
}

function isField(pair: unknown): boolean {
  try {
    return Boolean(new Headers([pair as [string, string]]));
  } catch {
    return false;
  }
}
