import { fingerprint } from '../request/fingerprint.js';
import type { HttpRequest } from '../request/HttpRequest.js';
import { REQUEST_ID } from '../request/tokens.js';
import { cacheMode } from './cacheDecision.js';

/** By these a server knows who asks. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key'];

/**
 * The key of a resource: method, URL without fragment and, in a cache that is not shared, a fingerprint of who asks, so that one person's
 * answer is never another's even where a server forgets to say `Vary`.
 */
export function cacheKey(method: string, url: string, headers: Headers, shared: boolean): string {
  const who = shared ? '' : CREDENTIALS.flatMap((name) => headers.get(name) ?? []).join('\n');
  return `${method} ${url.replace(/#.*$/s, '')}${who && ` ${fingerprint(who)}`}`;
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
  return [request.method, request.url.replace(/#.*$/s, ''), cacheMode(request), ...fields].join('\n');
}

// Whether a field was sent once or in parts, and with which spaces, changes nothing.
function normalized(value: string | null): string {
  return value === null ? '-' : `+${value.trim().replace(/\s*,\s*/g, ',')}`;
}
