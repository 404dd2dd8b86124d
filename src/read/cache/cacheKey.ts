import type { HttpRequest } from '../../request/HttpRequest.js';
import { sha256 } from '../../request/sha256.js';
import { REQUEST_ID } from '../../request/tokens.js';
import { cacheMode } from './cacheControl.js';
import { CREDENTIAL_FIELDS } from '../../request/credentialFields.js';

/**
 * Key of a resource: method, URL (normalized, without fragment) and, in a cache that is not shared, the SHA-256 of the credentials, so that
 * one caller never gets another's response, even where a server forgets `Vary`.
 */
export function cacheKey(method: string, url: string, headers: Headers, shared: boolean): string {
  const credentials = shared
    ? []
    : CREDENTIAL_FIELDS.filter((name) => headers.has(name)).map((name) => `${name}:${headers.get(name) ?? ''}`);
  return `${method} ${normalForm(url)}${credentials.length > 0 ? ` ${sha256(credentials.join('\n'))}` : ''}`;
}

/** Keys that a write to a URL invalidates: those of the writer's own responses, and of shared ones. */
export function invalidatedKeys(url: string, headers: Headers, shared: boolean): string[] {
  const credentials = [headers, new Headers()];
  return [...new Set(credentials.flatMap((fields) => ['GET', 'HEAD'].map((method) => cacheKey(method, url, fields, shared))))];
}

/** True if credentials were sent that were not there when the key was made. */
export function hidesCredentials(seen: Headers, sent: Headers): boolean {
  return CREDENTIAL_FIELDS.some((name) => sent.has(name) && sent.get(name) !== seen.get(name));
}

/** Key of one of the responses of a resource: the fields that select it and their values (RFC 9111 section 4.1). */
export function variantKey(key: string, fields: readonly string[], headers: Headers): string {
  const values = fields.map((name) => `${name}:${normalized(headers.get(name))}`);
  return `${key} ~${sha256(values.join('\n'))}`;
}

/** Key of requests that can be coalesced: all fields but the request id. */
export function coalescingKey(request: HttpRequest): string {
  const id = request.context.get(REQUEST_ID);
  const fields = [...request.headers].filter(([, value]) => value !== id).map(([name, value]) => `${name}:${value}`);
  return [request.method, normalForm(request.url), cacheMode(request), request.maxBytes, ...fields].join('\n');
}

/** True if two URLs name one resource in different spellings. */
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

// The value of a field in one spelling: parts sent apart, and spaces, change nothing.
function normalized(value: string | null): string {
  return value === null ? '-' : `+${value.trim().replace(/\s*,\s*/g, ',')}`;
}
