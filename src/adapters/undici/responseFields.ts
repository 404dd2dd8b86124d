import type { ParsedHeaders, RawHeaders } from './Dispatcher.js';

/** Header fields of an answer. As `fetch` has it, each byte of a value is one character. */
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
 * Header fields of an answer from a record.
 *
 * @param fromUtf8 whether undici has read the values as UTF-8
 */
export function parsedFields(parsed: ParsedHeaders, fromUtf8: boolean): Headers {
  const headers = new Headers();
  const append = (name: string, value: string): void => {
    headers.append(name, fromUtf8 ? Buffer.from(value).toString('latin1') : value);
  };
  for (const [name, value] of Object.entries(parsed)) {
    // A pseudo-header field of HTTP/2.
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
