import type { HeadersLike } from '../../headers/HeadersLike.js';
import type { HttpRequest } from '../../request/HttpRequest.js';

/** Directives of a `Cache-Control` field by lower-case name; a directive without a value has `''`. */
export type CacheDirectives = ReadonlyMap<string, string>;

const DIRECTIVE = /^([\w!#$%&'*+.^`|~-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*)))?$/;
/** Commas inside quotes belong to the value. */
const MEMBERS = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;

/**
 * Reads a `Cache-Control` field (RFC 9111 section 5.2). Malformed members are left out; the first of repeated directives counts (section
 * 4.2.1). Without the field, `Pragma: no-cache` stands for `no-cache` (section 5.4).
 */
export function cacheControl(headers: HeadersLike): CacheDirectives {
  const field = headers.get('cache-control') ?? (headers.get('pragma')?.includes('no-cache') === true ? 'no-cache' : '');
  const directives = new Map<string, string>();
  for (const member of field.match(MEMBERS) ?? []) {
    const [, name, quoted, token = ''] = DIRECTIVE.exec(member.trim()) ?? [];
    const key = name?.toLowerCase();
    if (key !== undefined && !directives.has(key)) directives.set(key, quoted?.replace(/\\(.)/g, '$1') ?? token);
  }
  return directives;
}

/**
 * A directive's value as a time.
 *
 * @returns milliseconds; 0 where the value is not a number of whole seconds, undefined where there is no such directive
 */
export function durationOf(directives: CacheDirectives, name: string): number | undefined {
  const value = directives.get(name);
  if (value === undefined) return undefined;
  return /^\d+$/.test(value) ? Number(value) * 1000 : 0;
}

/** The `cache` mode that a request passes to `fetch`. Node's types lack it, since Node's `fetch` has no cache. */
export function cacheMode({ fetchOptions }: HttpRequest): string {
  return 'cache' in fetchOptions && typeof fetchOptions.cache === 'string' ? fetchOptions.cache : 'default';
}
