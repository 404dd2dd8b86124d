import { isSameUrl } from './cacheKey.js';
import type { StoredResponse } from './CacheStore.js';

/** Header fields of a stored response. */
export function headersOf(answer: StoredResponse): Headers {
  const headers = new Headers();
  for (const [name, value] of answer.headers) headers.append(name, value);
  return headers;
}

/** Header fields that a response varies by, in lower case and order; `*`: by more than header fields. */
export function varyOf({ headers }: StoredResponse): string[] {
  const values = headers.filter(([name]) => name === 'vary').map(([, value]) => value);
  const fields = values.join(',').toLowerCase().split(',');
  return [...new Set(fields.map((name) => name.trim()).filter((name) => name !== ''))].sort();
}

/** Fields that describe the stored body or one connection, and so do not change with a 304 (RFC 9111 sections 3.1 and 3.2). */
const KEPT = /^(content-(length|encoding|range)|transfer-encoding|connection|keep-alive|te|trailer|upgrade|proxy-.*)$/;

/**
 * True if a 304 is about this response: its validators, if it has any, are the same (RFC 9111 section 4.3.4), and so is its URL. Behind a
 * redirect that now leads elsewhere, another resource may use the same tags.
 */
export function isAbout({ url, headers }: { readonly url: string; readonly headers: Headers }, answer: StoredResponse): boolean {
  if (!isSameUrl(url, answer.url)) return false;
  const tag = headers.get('etag');
  const stored = answer.headers.find(([name]) => name === 'etag')?.[1];
  return tag === null || stored === undefined || opaque(tag) === opaque(stored);
}

/** The stored response with the header fields of a 304 in place of its own. */
export function refreshedAnswer(answer: StoredResponse, notModified: Headers, sentAt: number, receivedAt: number): StoredResponse {
  const renewed = [...notModified].filter(([name]) => !KEPT.test(name));
  const names = new Set(renewed.map(([name]) => name));
  // The `Age` from a cache on the way is the age of the 304, not of the stored response.
  const kept = answer.headers.filter(([name]) => !names.has(name) && name !== 'age');
  return { ...answer, headers: [...kept, ...renewed], sentAt, receivedAt };
}

/** Header fields that validate a response with the origin (RFC 9111 section 4.3.1); empty: it has no validator. */
export function validatorsOf(answer: StoredResponse): Readonly<Record<string, string>> {
  const valueOf = (wanted: string): string | undefined => answer.headers.find(([name]) => name === wanted)?.[1];
  const tag = valueOf('etag');
  const modified = valueOf('last-modified');
  return { ...(tag !== undefined && { 'if-none-match': tag }), ...(modified !== undefined && { 'if-modified-since': modified }) };
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
