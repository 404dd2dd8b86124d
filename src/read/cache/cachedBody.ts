import { joinBytes } from '../../transport/readAll.js';
import type { StoredResponse } from './CacheStore.js';
import { headersOf } from './storedResponse.js';

/**
 * True if a body is all that its origin promised, as far as that can be known. `fetch` fails where HTTP says that a message is cut. Two kinds of
 * cut bodies end well:
 *
 * - One that was cut before it was sent, by a proxy or a full disk. Of a compressed one the platform decodes what there is, and shows neither the
 *   encoded bytes nor their checksum.
 * - One that only the end of the connection ends (RFC 9112 section 6.3), since a crash of the server ends it, too.
 *
 * Cut JSON does not parse, so of both kinds JSON is known. A body is known to be cut that is shorter than its `content-length`, too. Other
 * compressed bodies are taken for complete. Of others it is known that the connection ends them where the answer says `connection: close`; one that
 * does not say so is taken for complete.
 */
export function isComplete(answer: StoredResponse, method: string): boolean {
  const { body } = answer;
  if (!body || method === 'HEAD') return true;
  const headers = headersOf(answer);
  const length = headers.get('content-length');
  const isEncoded = !/^\s*(identity\s*)?$/i.test(headers.get('content-encoding') ?? '');
  const isCloseDelimited = length === null && !headers.has('transfer-encoding') && /\bclose\b/i.test(headers.get('connection') ?? '');
  if (isEncoded || isCloseDelimited) return isJsonType(headers.get('content-type')) ? parses(body) : !isCloseDelimited;
  // A longer one was decoded by a fetch that hides the coding.
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
 * A stream that passes on as it is; when it has ended well, `keep` gets all its bytes. Of one that fails, is left, or grows beyond `maxBytes`
 * nothing is kept.
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
        // The reader may write to what it is given.
        else chunks.push(chunk.slice());
        controller.enqueue(chunk);
      },
      flush: () => {
        if (length <= maxBytes) keep(joinBytes(chunks, length));
      },
    }),
  );
}
