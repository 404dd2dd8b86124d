import { parseHttpDate } from '../../headers/parseHttpDate.js';
import { type CacheDirectives, durationOf } from './cacheControl.js';
import type { StoredAnswer } from './CacheStore.js';
import { headersOf, varyOf } from './storedFields.js';

/** Options of a cache on which the lifetime depends. */
interface LifetimeSettings {
  /** Whether several people are served from it. */
  readonly shared: boolean;
  /** The part of the time since `Last-Modified` for which an answer that says nothing else is taken for fresh. */
  readonly heuristic: number;
}

/**
 * Freshness lifetime of an answer (RFC 9111 section 4.2.1): the time from its generation for which it may be used without validation.
 *
 * @param directives those of its `Cache-Control`
 * @returns milliseconds, 0 or more
 */
export function freshnessLifetime(answer: StoredAnswer, directives: CacheDirectives, { shared, heuristic }: LifetimeSettings): number {
  const headers = headersOf(answer);
  const forbidding = ['no-cache', 'no-store', ...(shared ? ['private'] : [])];
  if (forbidding.some((name) => directives.has(name)) || varyOf(answer).includes('*')) return 0;
  // Cookies are for one person, unless the server says that they are for all.
  if (shared && headers.has('set-cookie') && !directives.has('public')) return 0;
  const told = (shared ? durationOf(directives, 's-maxage') : undefined) ?? durationOf(directives, 'max-age');
  if (told !== undefined) return told;
  // Without a Date the answer is as old as its arrival.
  const date = parseHttpDate(headers.get('date'), answer.receivedAt) ?? answer.receivedAt;
  // An Expires that is no date means expired (section 5.3).
  if (headers.has('expires')) return Math.max(0, (parseHttpDate(headers.get('expires'), answer.receivedAt) ?? date) - date);
  const modified = parseHttpDate(headers.get('last-modified'), answer.receivedAt) ?? date;
  return Math.max(0, date - modified) * heuristic;
}
