import { UsageError } from './errors/UsageError.js';
import type { HeadersInit } from './HttpRequest.js';

/**
 * Header fields as the platform has them.
 *
 * @param place where they were given, for the message; the value is left out, it may be a secret
 * @throws UsageError for a name or value that cannot be sent
 */
export function toHeaders(headers: HeadersInit | Headers | undefined, place: string): Headers {
  try {
    return new Headers(headers);
  } catch {
    const pairs = (Symbol.iterator in (headers ?? {}) ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers ?? {})) as [
      string,
      string,
    ][];
    const bad = pairs.find((pair) => !isField(pair));
    const name = bad ? JSON.stringify(bad[0]) : 'one of the header fields';
    throw new UsageError(`${place}: ${name} cannot be sent; names are tokens, values have no line breaks and no characters beyond Latin-1`);
  }
}

function isField([name, value]: [string, string]): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}
