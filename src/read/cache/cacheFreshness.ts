import CachePolicy from 'http-cache-semantics';
import { parseHttpDate } from '../../headers/parseHttpDate.js';
import { wallClock } from '../../time.js';
import type { HttpRequest } from '../../request/HttpRequest.js';
import { cacheControl, type CacheDirectives, durationOf } from './cacheControl.js';
import { hidesCredentials, isSameUrl } from './cacheKey.js';
import type { StoredAnswer } from './CacheStore.js';
import { varyOf } from './VariantStore.js';

const NOTHING: CacheDirectives = new Map();

/** Directives whose value is a number of seconds; the library takes what begins with digits for one. */
const SECONDS = ['max-age', 's-maxage', 'stale-while-revalidate', 'stale-if-error'];

/** The rules of RFC 9111 by http-cache-semantics, on the clock of the pipeline. */
class Policy extends CachePolicy {
  now(): number {
    return wallClock();
  }
}

/** Options of a cache on which freshness depends. */
export interface FreshnessSettings {
  /** Whether several people are served from it. */
  readonly shared: boolean;
  /** The part of the time since `Last-Modified` for which an answer that says nothing else is taken for fresh. */
  readonly heuristic: number;
  /** Time for which a stale answer may be used in place of a failure where the answer says nothing, in ms. */
  readonly staleIfError: number;
  /** Time for which a stale answer may be used while it is revalidated where the answer says nothing, in ms. */
  readonly staleWhileRevalidate: number;
}

/** Freshness of an answer. */
export interface Freshness {
  /** Age in ms. */
  readonly age: number;
  /** Time for which the answer stays fresh, in ms; negative: for which it has been stale. */
  readonly left: number;
  /** Whether the answer may be used when it is stale, if server or options allow that (RFC 9111 section 4.2.4). */
  readonly mayBeStale: boolean;
  /** Directives of the answer itself. */
  readonly directives: CacheDirectives;
}

/** Fields of a request on which freshness depends. */
type Asking = Pick<HttpRequest, 'method' | 'url' | 'headers'>;

/**
 * Whether an answer may be stored (RFC 9111 section 3), and could ever be used. Only successful ones are: errors leave the pipeline as errors.
 *
 * @param sent the header fields that it answers. Where interceptors behind the cache have added credentials, nobody's answers can be kept apart,
 *   so that the rules of shared caches hold; where the answer varies by other fields of theirs, it could not be found again.
 * @param ttl how long the caller wants to use it whatever it says itself, in ms; `no-store` and, in a shared cache, `private` still hold
 */
export function isStorable(
  { request, sent, answer }: { readonly request: Asking; readonly sent: Headers; readonly answer: StoredAnswer },
  settings: FreshnessSettings,
  ttl: number | undefined,
): boolean {
  if (answer.status < 200 || answer.status > 299) return false;
  if (varyOf(answer).some((name) => sent.get(name) !== request.headers.get(name))) return false;
  const headers = headersOf(answer);
  // An event stream is not over when it ends: the next request wants what has happened since.
  if (/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) return false;
  const directives = cacheControl(headers);
  const hidden = hidesCredentials(request.headers, sent);
  const authorized = hidden || sent.has('authorization');
  const policy = policyOf(request.method, authorized, answer, directives, { ...settings, shared: settings.shared || hidden });
  const isFresh = ttl !== undefined || (policy.maxAge() > 0 && !isMoved(request, answer));
  const isUsable = isFresh || isUsableWhenStale(directives, settings);
  return policy.storable() && (isUsable || headers.has('etag') || headers.has('last-modified'));
}

/** Whether an answer may be used when it is stale (RFC 5861), as it says itself or else by the options. */
function isUsableWhenStale(directives: CacheDirectives, settings: FreshnessSettings): boolean {
  const whileRevalidate = durationOf(directives, 'stale-while-revalidate') ?? settings.staleWhileRevalidate;
  const ifError = durationOf(directives, 'stale-if-error') ?? settings.staleIfError;
  return mayBeStale(directives, settings) && Math.max(whileRevalidate, ifError) > 0;
}

/**
 * How fresh an answer is (RFC 9111 section 4.2); with a `ttl`, that long from its arrival.
 *
 * One that came by a redirect is stale at once: `fetch` does not show for how long that holds, and what its target says is about the target.
 * So is one from the future: a clock was set back, and how old it is nobody knows.
 */
export function freshnessOf(request: Asking, answer: StoredAnswer, settings: FreshnessSettings, ttl: number | undefined): Freshness {
  const own = cacheControl(headersOf(answer));
  const policy = policyOf('GET', false, answer, own, settings);
  const moved = isMoved(request, answer);
  const sinceArrival = wallClock() - answer.receivedAt;
  const age = Math.max(policy.age() * 1000, 0);
  const lifetime = moved || sinceArrival < 0 ? 0 : policy.maxAge() * 1000;
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

function isMoved({ url }: Asking, answer: StoredAnswer): boolean {
  return answer.url !== '' && !isSameUrl(url, answer.url);
}

/** The header fields of a stored answer. */
export function headersOf(answer: StoredAnswer): Headers {
  const headers = new Headers();
  for (const [name, value] of answer.headers) headers.append(name, value);
  return headers;
}

function policyOf(
  method: string,
  authorized: boolean,
  answer: StoredAnswer,
  directives: CacheDirectives,
  { shared, heuristic }: FreshnessSettings,
): CachePolicy {
  const headers = withStrictDates(Object.fromEntries(headersOf(answer)), answer.receivedAt);
  const rules = Object.fromEntries([...directives].map(([name, value]) => [name, value === '' ? 'true' : value]));
  for (const name of SECONDS) {
    const duration = durationOf(directives, name);
    if (duration !== undefined) rules[name] = String(duration / 1000);
  }
  // It is strict about these only when an answer is stale (section 5.2.2.8); whether one may be used then is decided here.
  delete rules['proxy-revalidate'];
  return Policy.fromObject({
    v: 1,
    t: answer.receivedAt,
    sh: shared,
    ch: heuristic,
    imm: 86_400_000,
    st: answer.status,
    resh: { ...headers, age: String(ageOnArrival(answer, headers.age)) },
    rescc: rules,
    m: method,
    a: !authorized,
    reqh: null,
    reqcc: {},
  });
}

// The library reads dates by `Date.parse`, which takes `0` for the year 2000. What is none means: expired (RFC 9111 section 5.3).
function withStrictDates(headers: Record<string, string>, now: number): Record<string, string> {
  const dates = ['date', 'expires', 'last-modified'].flatMap((name): [string, string][] => {
    const value = headers[name];
    if (value === undefined) return [];
    const date = parseHttpDate(value, now);
    return [[name, date === undefined ? 'invalid' : new Date(date).toUTCString()]];
  });
  return { ...headers, ...Object.fromEntries(dates) };
}

// RFC 9111 section 4.2.3 without the apparent age: the clocks of client and server disagree more often than old caches omit `Age`.
function ageOnArrival({ sentAt, receivedAt }: StoredAnswer, age = ''): number {
  const told = /^\s*(\d+)\s*(?:,|$)/.exec(age)?.[1] ?? 0;
  return Number(told) + Math.floor((receivedAt - sentAt) / 1000);
}
