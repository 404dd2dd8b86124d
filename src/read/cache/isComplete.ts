import type { StoredAnswer } from './CacheStore.js';
import { headersOf } from './cacheFreshness.js';

/**
 * Whether a body is all that its origin promised, as far as that can be known. `fetch` fails where HTTP says that a message is cut. A body
 * that was cut before it was sent, by a proxy or a full disk, ends well: of a compressed one the platform decodes what there is, and shows
 * neither the encoded bytes nor their checksum. Known are two promises:
 *
 * - `content-length`, of a body without content coding;
 * - JSON, of a body with one: cut JSON does not parse.
 *
 * Other compressed bodies, and those that only the end of the connection ends, are taken for complete.
 */
export function isComplete(answer: StoredAnswer, method: string): boolean {
  const { body } = answer;
  if (!body || method === 'HEAD') return true;
  const headers = headersOf(answer);
  const length = headers.get('content-length') ?? '';
  const isEncoded = !/^\s*(identity\s*)?$/i.test(headers.get('content-encoding') ?? '');
  if (isEncoded) return !isJsonType(headers.get('content-type')) || parses(body);
  // A longer one was decoded by a fetch that hides the coding.
  return !/^\d+$/.test(length) || body.byteLength >= Number(length);
}

function isJsonType(type: string | null): boolean {
  return /^\s*application\/(\S+\+)?json\s*(;|$)/i.test(type ?? '');
}

function parses(body: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(body));
    return true;
  } catch {
    return false;
  }
}
