import { joinBytes } from '../../transport/readAll.js';
import type { StoredResponse } from './CacheStore.js';
import { headersOf } from './storedResponse.js';

/**
 * True if a body is complete, as far as that can be known. `fetch` fails where HTTP itself shows that a message is cut. Two kinds of cut
 * bodies end well:
 *
 * - A body that was cut before it was sent, by a proxy or a full disk. Of a compressed one the platform decodes as much as there is, and
 * shows neither the encoded bytes nor their checksum.
 * - A body that only the end of the connection ends (RFC 9112 section 6.3), since a crash of the server ends it, too.
 *
 * Cut JSON does not parse, so it is found in both cases. A body shorter than its `content-length` is cut, too. Other compressed bodies are
 * taken for complete. Any other body with `connection: close` may be cut; without that field it is taken for complete.
 */
export function isComplete(answer: StoredResponse, method: string): boolean {
  const { body } = answer;
  if (!body || method === 'HEAD') return true;
  const headers = headersOf(answer);
  const length = headers.get('content-length');
  const isEncoded = !/^\s*(identity\s*)?$/i.test(headers.get('content-encoding') ?? '');
  const isCloseDelimited = length === null && !headers.has('transfer-encoding') && /\bclose\b/i.test(headers.get('connection') ?? '');
  if (isEncoded || isCloseDelimited) return isJsonType(headers.get('content-type')) ? parses(body) : !isCloseDelimited;
  // A body longer than its `content-length` was decoded by a fetch that hides the coding.
  return length === null || !/^\d+$/.test(length) || body.byteLength >= Number(length);
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

/**
 * Passes a stream on as it is; `keep` gets all its bytes when it has ended well. Nothing is kept of a stream that fails, is left, or grows
 * beyond `maxBytes`.
 */
export function keepStream(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  keep: (bytes: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        length += chunk.byteLength;
        if (length > maxBytes) chunks = [];
        // Chunks are copied: the reader may write to the ones that it gets.
        else chunks.push(chunk.slice());
        controller.enqueue(chunk);
      },
      flush: () => {
        if (length <= maxBytes) keep(joinBytes(chunks, length));
      },
    }),
  );
}
