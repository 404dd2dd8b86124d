import { createHash } from 'node:crypto';
import type { CacheEntry } from '../../read/cache/CacheStore.js';

const LINE_FEED = 10;

/**
 * The contents of an entry's file: a line with the digest of the rest, a line of JSON, and the bytes of the body as they are.
 *
 *     3f5a... (64 hexadecimal digits)
 *     {"kind":"answer","status":200,"url":"https://api.example/rows","headers":[...],"sentAt":...,"receivedAt":...,"hasBody":true}
 *     (bytes)
 */
export function encodeEntry(entry: CacheEntry): (string | Uint8Array)[] {
  const body = entry.kind === 'answer' ? entry.body : null;
  const bytes = body ?? new Uint8Array();
  const info = `${JSON.stringify({ ...entry, body: undefined, hasBody: body !== null })}\n`;
  return [`${digestOf([info, bytes])}\n`, info, bytes];
}

/** Reads what {@link encodeEntry} wrote; undefined for anything else: a torn file, a damaged one, one of another program. */
export function decodeEntry(contents: Uint8Array): CacheEntry | undefined {
  const digestEnd = contents.indexOf(LINE_FEED);
  const rest = contents.subarray(digestEnd + 1);
  if (digestEnd !== 64 || text(contents.subarray(0, digestEnd)) !== digestOf([rest])) return undefined;
  const infoEnd = rest.indexOf(LINE_FEED);
  // The digest shows that coldfetch wrote the entry.
  const { hasBody, ...info } = JSON.parse(text(rest.subarray(0, infoEnd))) as CacheEntry & { hasBody: boolean };
  if (info.kind === 'vary') return info;
  return { ...info, body: hasBody ? new Uint8Array(rest.subarray(infoEnd + 1)) : null };
}

function digestOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
