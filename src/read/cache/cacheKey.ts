import { fingerprint } from '../../request/fingerprint.js';
import type { HttpRequest } from '../../request/HttpRequest.js';
import { REQUEST_ID } from '../../request/tokens.js';
import { cacheMode } from './cacheDecision.js';
import { CREDENTIAL_FIELDS } from './credentialFields.js';

/**
 * The key of a resource: method, URL (however it is written, without fragment) and, in a cache that is not shared, a fingerprint of who asks,
 * so that one person's answer is never another's even where a server forgets to say `Vary`.
 */
export function cacheKey(method: string, url: string, headers: Headers, shared: boolean): string {
  const who = shared ? [] : CREDENTIAL_FIELDS.filter((name) => headers.has(name)).map((name) => `${name}:${headers.get(name) ?? ''}`);
  return `${method} ${normalForm(url)}${who.length > 0 ? ` ${fingerprint(who.join('\n'))}` : ''}`;
}

/** The keys of what a write to a URL voids: what is kept for whoever writes, and for everybody. */
export function voidedKeys(url: string, headers: Headers, shared: boolean): string[] {
  const whoever = [headers, new Headers()];
  return [...new Set(whoever.flatMap((who) => ['GET', 'HEAD'].map((method) => cacheKey(method, url, who, shared))))];
}

/** Whether credentials were sent that were not there when the key was made. */
export function hidesCredentials(seen: Headers, sent: Headers): boolean {
  return CREDENTIAL_FIELDS.some((name) => sent.has(name) && sent.get(name) !== seen.get(name));
}

/** The key of one of the answers of a resource: the fields that select it and their values (RFC 9111 section 4.1). */
export function variantKey(key: string, fields: readonly string[], headers: Headers): string {
  const values = fields.map((name) => `${name}:${normalized(headers.get(name))}`);
  return `${key} ~${fingerprint(values.join('\n'))}`;
}

/** What requests have in common that are answered by one flight: everything but the id that tells them apart. */
export function flightKey(request: HttpRequest): string {
  const id = request.context.get(REQUEST_ID);
  const fields = [...request.headers].filter(([, value]) => value !== id).map(([name, value]) => `${name}:${value}`);
  return [request.method, normalForm(request.url), cacheMode(request), request.maxBytes, ...fields].join('\n');
}

/** Whether two URLs are one resource, however they are written. */
export function isSameUrl(url: string, other: string): boolean {
  return url === other || normalForm(url) === normalForm(other);
}

function normalForm(url: string): string {
  try {
    return withoutFragment(new URL(url).href);
  } catch {
    return withoutFragment(url);
  }
}

function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}

// Whether a field was sent once or in parts, and with which spaces, changes nothing.
function normalized(value: string | null): string {
  return value === null ? '-' : `+${value.trim().replace(/\s*,\s*/g, ',')}`;
}
