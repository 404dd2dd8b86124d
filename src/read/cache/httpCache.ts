import { catchError, concat, concatMap, defer, finalize, forkJoin, ignoreElements, map, type Observable, of, throwError } from 'rxjs';
import { HttpError, isHttpError } from '../../request/errors/HttpError.js';
import type { Handler, Interceptor } from '../../request/Handler.js';
import type { HttpEvent, ResponseEvent } from '../../request/HttpEvent.js';
import type { HttpRequest } from '../../request/HttpRequest.js';
import { RequestSummary } from '../../request/RequestSummary.js';
import { takeUntilAborted } from '../../transport/takeUntilAborted.js';
import { askedBy, decide, mayReplaceFailure } from './cacheDecision.js';
import { type Freshness, freshnessOf, isStorable } from './cacheFreshness.js';
import { cacheKey, invalidatedKeys } from './cacheKey.js';
import { respond, respondWith, withCacheStatus } from './cacheResponse.js';
import type { CacheStatus } from './cacheStatus.js';
import type { CacheOptions } from './CacheOptions.js';
import type { StoredResponse } from './CacheStore.js';
import { checkCacheOptions } from './checkCacheOptions.js';
import { InFlightRequests, type OriginEvent } from './InFlightRequests.js';
import { memoryCache } from './memoryCache.js';
import { staleIfError } from './staleIfError.js';
import { VariantStore } from './VariantStore.js';

/** A cache of responses, for the `cache` option of a client; clients with the same one share its contents. */
export type HttpCache = Interceptor;

const SAFE = /^(GET|HEAD|OPTIONS|TRACE)$/;
/** Header fields of requests about a state or a part of a resource, which only the origin answers. */
const CONDITIONAL = ['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range', 'range'];

/**
 * An interceptor that answers reads from stored responses, by the rules of HTTP caching (RFC 9111, RFC 5861).
 *
 * - A fresh answer is given at once: one `response` event and nothing else. A stale one is validated by `ETag` and `Last-Modified`; a 304
 *   renews its header fields and brings no body.
 * - `stale-while-revalidate`: the stale answer is given, a new one fetched behind it, to its end even when the subscriber has left.
 * - `stale-if-error`: the stale answer takes the place of a 429, a 5xx, a network failure, a timeout, a missed deadline, and at once while a circuit
 *   breaker is open.
 * - Only GET and HEAD are answered, and only successful answers kept: never a 429 or 503, never a write. A write that may have happened
 *   invalidates what is stored for its URL, its `Location` and its `Content-Location`, before its answer is passed on.
 * - The same requests made at the same time are coalesced into one; it is aborted when the last subscriber leaves. The retry policy and timeout
 *   are those of the first.
 * - Credentials that attempt interceptors add are not seen from here, so the rules of shared caches hold: only answers that say they are public
 *   are kept or given to others. Sign in `interceptors` to keep more.
 * - An answer that came by a redirect is asked about again each time, unless there is a `ttl`.
 * - A stream is kept when it has been read to its end, and no longer than the request's `maxBytes` (64 MiB).
 * - A body that is known to be cut is not kept: one shorter than its `content-length`, and compressed JSON that does not parse. Of
 *   other compressed bodies `fetch` shows neither the bytes that were sent nor their checksum, so a proxy's half of one is taken for the whole;
 *   where that matters ask for `accept-encoding: identity`. A body that only a `connection: close` ends may be cut as well, and is kept only
 *   where it is JSON that parses. `detail=incomplete-body` tells.
 * - Conditional and range requests pass by. `Cache-Control` of a request is obeyed, and the `cache` mode of `fetch`.
 *
 * Every `response` event has its `cacheStatus`, also in its `cache-status` field (RFC 9211); `detail=store-failed` there means that the
 * store threw, or did not reply within `storeTimeout`, which costs a request, never a response. The cache stands before retry and pace, so
 * that nothing stored is paced, and its rate-limit fields are not learned from.
 *
 * @example
 * const http = createClient({ cache: httpCache({ ttl: 60_000, staleIfError: 3_600_000 }) });
 *
 * @throws UsageError for unknown options, durations that are negative or NaN, and a store that is none
 */
export function httpCache(options: CacheOptions = {}): HttpCache {
  const { store = memoryCache(), storeTimeout = 1_000, shared = false, heuristic = 0.1 } = options;
  const { ttl, staleWhileRevalidate = 0, staleIfError: maxStaleIfError = 0 } = options;
  checkCacheOptions(options);
  const settings = { shared, heuristic, staleIfError: maxStaleIfError, staleWhileRevalidate };
  const variants = new VariantStore(store, storeTimeout);
  const inFlight = new InFlightRequests(variants);
  const ttlOf = (request: HttpRequest): number | undefined => (typeof ttl === 'function' ? ttl(request) : ttl);

  function read(request: HttpRequest, next: Handler): Observable<HttpEvent> {
    const asked = askedBy(request);
    const key = cacheKey(request.method, request.url, request.headers, shared);
    const lifetime = ttlOf(request);
    const use = (answer: StoredResponse, { age, left }: Freshness, status: CacheStatus): ResponseEvent =>
      respond(request, answer, request.attempt, { ...status, ttl: left }, age);
    const askOrigin = (stored?: StoredResponse, as = request): Observable<OriginEvent> =>
      inFlight.coalesce({
        key,
        request: as,
        next,
        stored,
        isStorable: (answer, sent) => isStorable({ request, sent, answer }, settings, lifetime),
      });

    // A background refresh that fails leaves the stale response as it was; it has no subscriber.
    const refresh = (stored: StoredResponse): void => {
      askOrigin(stored, request.clone({ responseType: 'bytes' })).subscribe({ error: () => undefined });
    };

    return variants.lookup(key, request.headers).pipe(
      concatMap(({ answer, miss = 'uri-miss', failed }) => {
        if (!answer) {
          return asked.directives.has('only-if-cached') || asked.mode === 'only-if-cached'
            ? throwError(() => notCached(request))
            : askOrigin().pipe(asResponse(request, { fwd: miss, ...(failed && { detail: 'store-failed' }) }));
        }
        const freshness = freshnessOf(request, answer, settings, lifetime);
        const decision = decide(freshness, asked, staleWhileRevalidate);
        if (decision === 'use') return of(use(answer, freshness, { hit: true }));
        if (decision === 'use-and-refresh') {
          refresh(answer);
          return of(use(answer, freshness, { hit: true, detail: 'stale-while-revalidate' }));
        }
        if (asked.directives.has('only-if-cached')) return throwError(() => notCached(request));
        return askOrigin(asked.mode === 'reload' ? undefined : answer).pipe(
          asResponse(request, { fwd: decision }),
          staleIfError((fwdStatus) => {
            if (decision !== 'stale') return undefined;
            const now = freshnessOf(request, answer, settings, lifetime);
            return mayReplaceFailure(now, asked, maxStaleIfError)
              ? use(answer, now, { fwd: 'stale', fwdStatus, detail: 'stale-if-error' })
              : undefined;
          }),
        );
      }),
    );
  }

  function write(request: HttpRequest, next: Handler): Observable<HttpEvent> {
    let sent = false;
    let settled = false;
    const invalidateAll = (headers?: Headers): Observable<unknown> => {
      settled = true;
      const keys = changedBy(request.url, headers).flatMap((url) => invalidatedKeys(url, request.headers, shared));
      for (const key of keys) inFlight.invalidate(key);
      return forkJoin(keys.map((key) => variants.invalidate(key)));
    };
    const invalidateUnheard = (): void => {
      invalidateAll().subscribe();
    };
    return next(request).pipe(
      concatMap((event) => {
        if (event.type === 'sent') sent = true;
        return event.type === 'response'
          ? concat(invalidateAll(event.headers).pipe(ignoreElements()), of(withCacheStatus(event, { fwd: 'method' })))
          : of(event);
      }),
      catchError((error: unknown) => {
        // A refused write has changed nothing; after any other outcome the write may have happened.
        if (isHttpError(error)) settled = true;
        throw error;
      }),
      finalize(() => {
        if (sent && !settled) invalidateUnheard();
      }),
    );
  }

  return (request, next) =>
    defer(() => {
      if (!SAFE.test(request.method)) return write(request, next);
      return passesBy(request) ? next(request).pipe(map((event) => withCacheStatus(event, { fwd: 'bypass' }))) : read(request, next);
    }).pipe(takeUntilAborted(request));
}

function passesBy(request: HttpRequest): boolean {
  const { directives, mode } = askedBy(request);
  return (
    (request.method !== 'GET' && request.method !== 'HEAD') ||
    directives.has('no-store') ||
    mode === 'no-store' ||
    CONDITIONAL.some((name) => request.headers.has(name))
  );
}

/** Turns the origin's answer into a response. */
function asResponse(request: HttpRequest, why: CacheStatus) {
  return (events$: Observable<OriginEvent>): Observable<HttpEvent> =>
    events$.pipe(
      map((event) => (event.type === 'answer' ? respondWith(request, { ...event, status: { ...why, ...event.status } }) : event)),
    );
}

/** URLs that a write changes, of its own origin (RFC 9111 section 4.4). */
function changedBy(url: string, headers: Headers | undefined): string[] {
  const others = ['location', 'content-location'].flatMap((name) => headers?.get(name) ?? []);
  const targets = others.flatMap((other) => (URL.canParse(other, url) ? new URL(other, url) : []));
  return [url, ...targets.filter(({ origin }) => origin === new URL(url).origin).map(({ href }) => href)];
}

// The directive `only-if-cached` asks for a 504 where nothing is stored (RFC 9111 section 5.2.1.7).
function notCached({ method, url, headers }: HttpRequest): HttpError {
  const response = new Response(null, { status: 504, statusText: 'Not in the cache' });
  return new HttpError(response, new RequestSummary(method, url, headers));
}
