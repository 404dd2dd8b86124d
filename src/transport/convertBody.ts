import { BodyError } from '../request/errors/BodyError.js';
import type { ResponseType } from '../request/HttpRequest.js';
import { htmlPage } from '../request/jsonProblem.js';
import { decodeText } from './readBody.js';

/**
 * A body's bytes in the form of a response type: parsed JSON (`null` when empty), text, a Blob, or the bytes. Text is UTF-8, as with
 * `fetch`.
 *
 * @throws BodyError when JSON does not parse
 */
export function convertBody(bytes: Uint8Array, responseType: ResponseType, headers?: { get(name: string): string | null }): unknown {
  switch (responseType) {
    case 'json': {
      const text = decodeText(bytes);
      return text.trim() === '' ? null : parseJson(text);
    }
    case 'text':
      return decodeText(bytes);
    case 'blob':
      return new Blob([bytes], { type: headers?.get('content-type') ?? '' });
    default:
      return bytes;
  }
}

/** Parses JSON; an error names the place, never the content. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BodyError(notJson(text), { cause });
  }
}

/** Message about a text that should be JSON. */
export function notJson(text: string): string {
  const page = htmlPage(text);
  if (page === undefined) return `The body is not JSON (${text.length} characters); ask for responseType 'text' to see it`;
  return `The body is ${page}, not JSON: a login or a proxy may have answered; check the URL and the credentials`;
}
