import { parseHttpDate } from '../../headers/parseDates.js';
import type { HttpRequest } from '../../request/HttpRequest.js';
import { wallClock } from '../../time.js';
import { cacheControl, type CacheDirectives, durationOf } from './cacheControl.js';
import { hidesCredentials, isSameUrl } from './cacheKey.js';
import type { StoredResponse } from './CacheStore.js';
import { headersOf, varyOf } from './storedResponse.js';

const NOTHING: CacheDirectives = new Map();

/** Statuses of a success that the cache understands, as RFC 9111 section 3 demands: no ranges. */
const UNDERSTOOD: readonly number[] = [200, 203, 204];

/** Options of a cache on which freshness depends. */
export interface FreshnessSettings {
  /** True if several callers share the cache. */
  readonly shared: boolean;
  /** Share of the time since `Last-Modified` for which a response without other fields is fresh. */
  readonly heuristic: number;
  /** Time for which a stale response may be used in place of a failure, where its own fields do not say, in ms. */
  readonly staleIfError: number;
  /** Time for which a stale response may be used while it is revalidated, where its own fields do not say, in ms. */
  readonly staleWhileRevalidate: number;
}

/** Freshness of a response. */
export interface Freshness {
  /** Age in ms. */
  readonly age: number;
  /** Time for which the response stays fresh, in ms; negative: the time since it became stale. */
  readonly left: number;
  /** True if the response may be used when it is stale, if server or options allow that (RFC 9111 section 4.2.4). */
  readonly mayBeStale: boolean;
  /** Cache directives of the response. */
  readonly directives: CacheDirectives;
}

/** Fields of a request on which freshness depends. */
type RequestIdentity = Pick<HttpRequest, 'method' | 'url' | 'headers'>;

/**
 * True if a response may be stored (RFC 9111 section 3), and could ever be used. Only successful responses are stored: errors leave the
 * pipeline as errors.
 *
 * @param sent header fields of the request. Where interceptors behind the cache have added credentials, callers cannot be kept apart, so
 * the rules of shared caches hold; a response that varies by other fields of those interceptors could not be found again.
 * @param ttl time of use that the options ask for, in ms; `no-store` and, in a shared cache, `private` still hold
 */
export function isStorable(
  { request, sent, answer }: { readonly request: RequestIdentity; readonly sent: Headers; readonly answer: StoredResponse },
  settings: FreshnessSettings,
  ttl: number | undefined,
): boolean {
  if (!UNDERSTOOD.includes(answer.status)) return false;
  if (varyOf(answer).some((name) => sent.get(name) !== request.headers.get(name))) return false;
  const headers = headersOf(answer);
  // An event stream cannot be stored: the next request wants the events since.
  if (/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) return false;
  const directives = cacheControl(headers);
  const hidden = hidesCredentials(request.headers, sent);
  const authorized = hidden || sent.has('authorization');
  const shared = settings.shared || hidden;
  if (!allowsStoring(directives, shared, authorized)) return false;
  const isFresh = ttl !== undefined || (freshnessLifetime(answer, directives, { ...settings, shared }) > 0 && !isMoved(request, answer));
  const isUsable = isFresh || isUsableWhenStale(directives, settings);
  return isUsable || headers.has('etag') || headers.has('last-modified');
}

/** True if `Cache-Control` lets a cache keep the response (RFC 9111 sections 3 and 3.5). */
function allowsStoring(directives: CacheDirectives, shared: boolean, authorized: boolean): boolean {
  if (directives.has('no-store')) return false;
  if (!shared) return true;
  return !directives.has('private') && (!authorized || ['must-revalidate', 'public', 's-maxage'].some((name) => directives.has(name)));
}

/** True if a response may be used when it is stale (RFC 5861), by its own fields or else by the options. */
function isUsableWhenStale(directives: CacheDirectives, settings: FreshnessSettings): boolean {
  const whileRevalidate = durationOf(directives, 'stale-while-revalidate') ?? settings.staleWhileRevalidate;
  const ifError = durationOf(directives, 'stale-if-error') ?? settings.staleIfError;
  return mayBeStale(directives, settings) && Math.max(whileRevalidate, ifError) > 0;
}

/**
 * Freshness of a response (RFC 9111 section 4.2); with a `ttl`, that long from its arrival.
 *
 * A response that came by a redirect is stale at once: `fetch` does not show for how long the redirect holds, and the fields of its target
 * are about the target. A response from the future is stale, too: a clock was set back, so its age is unknown.
 */
export function freshnessOf(
  request: RequestIdentity,
  answer: StoredResponse,
  settings: FreshnessSettings,
  ttl: number | undefined,
): Freshness {
  const own = cacheControl(headersOf(answer));
  const moved = isMoved(request, answer);
  const sinceArrival = wallClock() - answer.receivedAt;
  const age = ageOf(answer);
  const lifetime = moved || sinceArrival < 0 ? 0 : freshnessLifetime(answer, own, settings);
  return {
    age,
    left: ttl === undefined || sinceArrival < 0 ? lifetime - age : ttl - sinceArrival,
    mayBeStale: mayBeStale(own, settings),
    directives: moved ? NOTHING : own,
  };
}

function mayBeStale(directives: CacheDirectives, { shared }: FreshnessSettings): boolean {
  const strict = ['no-cache', 'must-revalidate', ...(shared ? ['proxy-revalidate', 's-maxage'] : [])];
  return !strict.some((name) => directives.has(name));
}

function isMoved({ url }: RequestIdentity, answer: StoredResponse): boolean {
  return answer.url !== '' && !isSameUrl(url, answer.url);
}

/**
 * Age of a response in ms: RFC 9111 section 4.2.3 without the apparent age, since clocks disagree more often than old caches omit `Age`.
 */
function ageOf({ sentAt, receivedAt, headers }: StoredResponse): number {
  const [, field = ''] = headers.find(([name]) => name.toLowerCase() === 'age') ?? [];
  const told = /^\s*(\d+)\s*(?:,|$)/.exec(field)?.[1] ?? 0;
  const onArrival = Number(told) * 1000 + Math.floor((receivedAt - sentAt) / 1000) * 1000;
  return Math.max(onArrival + wallClock() - receivedAt, 0);
}

/** Options of a cache on which the lifetime depends. */
interface LifetimeSettings {
  /** True if several callers share the cache. */
  readonly shared: boolean;
  /** Share of the time since `Last-Modified` for which a response without other fields is fresh. */
  readonly heuristic: number;
}

/**
 * Freshness lifetime of a response (RFC 9111 section 4.2.1): the time from its generation for which it may be used without validation.
 *
 * @param directives those of its `Cache-Control`
 * @returns milliseconds, 0 or more
 */
function freshnessLifetime(answer: StoredResponse, directives: CacheDirectives, { shared, heuristic }: LifetimeSettings): number {
  const headers = headersOf(answer);
  const forbidding = ['no-cache', 'no-store', ...(shared ? ['private'] : [])];
  if (forbidding.some((name) => directives.has(name)) || varyOf(answer).includes('*')) return 0;
  // Cookies are for one caller, unless the server says that the response is public.
  if (shared && headers.has('set-cookie') && !directives.has('public')) return 0;
  const told = (shared ? durationOf(directives, 's-maxage') : undefined) ?? durationOf(directives, 'max-age');
  if (told !== undefined) return told;
  // The age counts from the arrival where there is no Date.
  const date = parseHttpDate(headers.get('date'), answer.receivedAt) ?? answer.receivedAt;
  // An Expires that is not a date means expired (section 5.3).
  if (headers.has('expires')) return Math.max(0, (parseHttpDate(headers.get('expires'), answer.receivedAt) ?? date) - date);
  const modified = parseHttpDate(headers.get('last-modified'), answer.receivedAt) ?? date;
  return Math.max(0, date - modified) * heuristic;
}
