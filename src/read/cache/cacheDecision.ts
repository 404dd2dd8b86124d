import type { HttpRequest } from '../../request/HttpRequest.js';
import { cacheControl, type CacheDirectives, cacheMode, durationOf } from './cacheControl.js';
import type { Freshness } from './cacheFreshness.js';

/** Wishes of a request to caches: its `Cache-Control` (RFC 9111 section 5.2.1), and the `cache` mode of `fetch`. */
export interface RequestDirectives {
  readonly directives: CacheDirectives;
  readonly mode: string;
}

/** The wishes of a request to caches. */
export function askedBy(request: HttpRequest): RequestDirectives {
  return { directives: cacheControl(request.headers), mode: cacheMode(request) };
}

/** Use of a stored response, and its reason: as it is, while a new one is fetched, or only after the origin was asked. */
export type Decision = 'use' | 'use-and-refresh' | 'stale' | 'request';

/**
 * Decision about a stored response (RFC 9111 section 4, RFC 5861 section 3).
 *
 * @param staleWhileRevalidate how long a stale answer may be used during a refresh where it says nothing itself, in ms
 */
export function decide({ age, left, mayBeStale, directives }: Freshness, asked: RequestDirectives, staleWhileRevalidate: number): Decision {
  if (asked.mode === 'force-cache' || asked.mode === 'only-if-cached') return 'use';
  if (asked.mode === 'no-cache' || asked.mode === 'reload' || asked.directives.has('no-cache')) return 'request';
  if (age > (durationOf(asked.directives, 'max-age') ?? Infinity)) return 'request';
  const needed = durationOf(asked.directives, 'min-fresh') ?? 0;
  if (left > 0) return left >= needed ? 'use' : 'request';
  if (!mayBeStale || needed > 0) return 'stale';
  const maxStale = asked.directives.get('max-stale') === '' ? Infinity : (durationOf(asked.directives, 'max-stale') ?? 0);
  if (-left < maxStale) return 'use';
  return -left < (durationOf(directives, 'stale-while-revalidate') ?? staleWhileRevalidate) ? 'use-and-refresh' : 'stale';
}

/**
 * True if a stale response may be used in place of a failure (RFC 5861 section 4).
 *
 * @param staleIfError for how long where neither the answer nor the request says, in ms
 */
export function mayReplaceFailure({ left, mayBeStale, directives }: Freshness, asked: RequestDirectives, staleIfError: number): boolean {
  const allowed = durationOf(asked.directives, 'stale-if-error') ?? durationOf(directives, 'stale-if-error') ?? staleIfError;
  return mayBeStale && -left < allowed;
}
