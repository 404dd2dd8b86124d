import { concat, defer, EMPTY, map, NEVER, of, Subject, tap, throwError } from 'rxjs';
import { circuitBreaker, createClient } from 'coldfetch';
import { reply, scriptedFetch } from 'coldfetch/testing';
import { describe, expect, it } from 'vitest';
import { cache, type CacheOptions } from '../../src/read/cache.js';
import type { CacheEntry, CacheStore } from '../../src/read/CacheStore.js';
import { CREDENTIAL_FIELDS } from '../../src/read/credentialFields.js';
import { memoryCache } from '../../src/read/memoryCache.js';
import { DeadlineError } from '../../src/request/errors/DeadlineError.js';
import { isHttpError } from '../../src/request/errors/HttpError.js';
import { LimiterError } from '../../src/request/errors/LimiterError.js';
import { NetworkError } from '../../src/request/errors/NetworkError.js';
import { TimeoutError } from '../../src/request/errors/TimeoutError.js';
import { isUsageError } from '../../src/request/errors/UsageError.js';
import { HttpContext } from '../../src/request/HttpContext.js';
import type { Handler } from '../../src/request/Handler.js';
import type { ResponseEvent } from '../../src/request/HttpEvent.js';
import type { FetchOptions, HttpRequestInit, ResponseType } from '../../src/request/HttpRequest.js';
import { ON_SEND, REQUEST_ID } from '../../src/request/tokens.js';
import { wait, wallClock } from '../../src/time.js';
import { failureOf } from '../support/failureOf.js';
import { ask, get, hear, type Heard, type Origin, origin, type Reply, virtually } from './support/origin.js';

const URL = 'https://api.example/rows';
const fresh = { headers: { 'cache-control': 'max-age=60' } };
const down = new NetworkError('GET https://api.example/rows: refused', 'ECONNREFUSED');

describe('cache', () => {
  it('answers a fresh read at once, with one response event', () => {
    virtually((at) => {
      const station = cache();
      const api = origin({ ...fresh, body: 'first' });
      expect(ask(station, api, get(URL)).events.map(({ type }) => type)).toEqual(['sent', 'headers', 'response']);
      at(30_000, () => {
        const { events, completed } = ask(station, api, get(URL));
        expect(events).toMatchObject([
          { type: 'response', attempt: 1, status: 200, url: URL, body: 'first', cacheStatus: 'coldfetch; hit; ttl=30' },
        ]);
        expect(events[0]).toHaveProperty('headers');
        expect(completed).toBe(true);
        expect(api.requests).toHaveLength(1);
      });
    });
  });

  it('says in cache-status and age what it did, behind what other caches said', () => {
    virtually((at) => {
      const station = cache();
      const api = origin({ headers: { 'cache-control': 'max-age=60', 'cache-status': 'cdn; hit', age: '5' } });
      expect(ask(station, api, get(URL)).response?.headers.get('cache-status')).toBe('cdn; hit, coldfetch; fwd=uri-miss; stored');
      at(10_000, () => {
        const headers = ask(station, api, get(URL)).response?.headers;
        expect(headers?.get('age')).toBe('15');
        expect(headers?.get('cache-status')).toBe('cdn; hit, coldfetch; hit; ttl=45');
      });
    });
  });

  it.each<[ResponseType, unknown]>([
    ['json', { n: 1 }],
    ['text', '{"n":1}'],
    ['bytes', new TextEncoder().encode('{"n":1}')],
  ])('gives one stored answer as %s', (responseType, body) => {
    const station = cache();
    const api = origin({ ...fresh, body: '{"n":1}' });
    ask(station, api, get(URL));
    expect(ask(station, api, get(URL, { responseType })).response?.body).toEqual(body);
    expect(api.requests).toHaveLength(1);
  });

  it('gives everybody an answer of their own to change', () => {
    const station = cache();
    const api = origin({ ...fresh, body: '{"n":1}' });
    const first = ask(station, api, get(URL, { responseType: 'bytes' })).response?.body as Uint8Array;
    first.fill(0);
    const second = ask(station, api, get(URL, { responseType: 'json' })).response?.body as { n: number };
    second.n = 7;
    expect(ask(station, api, get(URL, { responseType: 'json' })).response?.body).toEqual({ n: 1 });
  });

  it('gives null for an answer without a body', () => {
    const station = cache();
    const api = origin({ ...fresh, status: 204 });
    ask(station, api, get(URL));
    expect(ask(station, api, get(URL)).response).toMatchObject({ status: 204, body: null });
    expect(api.requests).toHaveLength(1);
  });

  it('asks the road for bytes, and keeps what else the request says', () => {
    const api = origin(fresh);
    ask(cache(), api, get(URL, { headers: { 'x-a': '1' }, maxBytes: 10 }));
    expect(api.requests[0]).toMatchObject({ responseType: 'bytes', maxBytes: 10, url: URL });
    expect(api.requests[0]?.headers.get('x-a')).toBe('1');
  });

  it('knows a URL however it is written, with its query and without its fragment', () => {
    const station = cache();
    const api = origin(fresh);
    const read = (url: string): boolean | undefined => ask(station, api, get(url)).response?.cacheStatus?.includes('hit');
    expect(['https://api.example', 'https://API.example:443/', 'https://api.example/#top', 'https://api.example/?'].map(read)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    ask(station, api, get('HTTPS://api.example/#here', { method: 'POST' }));
    expect(read('https://api.example/')).toBe(false);
  });

  it('does nothing before it is subscribed', () => {
    const api = origin(fresh);
    void cache()(get(URL), api.handler);
    expect(api.requests).toHaveLength(0);
  });

  describe('when an answer is stale', () => {
    const etag = { headers: { 'cache-control': 'max-age=60', etag: '"1"', 'x-build': '1' }, body: 'first' };

    it('asks with its validators; a 304 renews the header fields, keeps the body, and makes it fresh again', () => {
      virtually((at) => {
        const station = cache();
        const notModified = {
          status: 304,
          headers: { 'cache-control': 'max-age=100', etag: '"1"', 'x-build': '2', 'ratelimit-remaining': '3' },
        };
        const api = origin({ ...etag, headers: { ...etag.headers, 'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT' } }, notModified);
        ask(station, api, get(URL));
        at(61_000, () => {
          const { response, events } = ask(station, api, get(URL));
          expect(Object.fromEntries(api.requests[1]?.headers ?? [])).toEqual({
            'if-none-match': '"1"',
            'if-modified-since': 'Wed, 21 Oct 2015 07:28:00 GMT',
          });
          expect(response).toMatchObject({ status: 200, body: 'first', cacheStatus: 'coldfetch; fwd=stale; fwd-status=304; stored' });
          expect(response?.headers.get('x-build')).toBe('2');
          // The 304 itself went by on the road, where pace hears it.
          expect(events).toContainEqual(expect.objectContaining({ type: 'headers', status: 304 }));
        });
        at(160_000, () => expect(ask(station, api, get(URL)).response?.cacheStatus).toBe('coldfetch; hit; ttl=1'));
      });
    });

    it('takes a new answer in its place', () => {
      virtually((at) => {
        const station = cache();
        const api = origin(etag, { ...etag, body: 'second' });
        ask(station, api, get(URL));
        at(61_000, () =>
          expect(ask(station, api, get(URL)).response).toMatchObject({ body: 'second', cacheStatus: 'coldfetch; fwd=stale; stored' }),
        );
        at(62_000, () => expect(ask(station, api, get(URL)).response?.body).toBe('second'));
      });
    });

    it('asks anew when the 304 is about another version', () => {
      virtually((at) => {
        const station = cache();
        const api = origin(etag, { status: 304, headers: { etag: '"2"' } }, { ...fresh, body: 'second' });
        ask(station, api, get(URL));
        at(61_000, () => {
          expect(ask(station, api, get(URL)).response?.body).toBe('second');
          expect(api.requests[2]?.headers.has('if-none-match')).toBe(false);
        });
      });
    });

    it.each([404, 410])('forgets it after a %i', (status) => {
      virtually((at) => {
        const station = cache({ staleIfError: Infinity });
        const api = origin(etag, { status }, { error: down });
        ask(station, api, get(URL));
        at(61_000, () => expect(ask(station, api, get(URL)).error).toMatchObject({ status }));
        at(62_000, () => expect(ask(station, api, get(URL)).error).toBe(down));
      });
    });

    it('forgets it when the new answer may not be stored', () => {
      virtually((at) => {
        const station = cache({ staleIfError: Infinity });
        const api = origin(etag, { headers: { 'cache-control': 'no-store' }, body: 'second' }, { error: down });
        ask(station, api, get(URL));
        at(61_000, () => expect(ask(station, api, get(URL)).response?.body).toBe('second'));
        at(62_000, () => expect(ask(station, api, get(URL)).error).toBe(down));
      });
    });
  });

  describe('stale-while-revalidate', () => {
    const swr = { headers: { 'cache-control': 'max-age=60, stale-while-revalidate=30' }, body: 'first' };

    it('gives the stale answer and fetches a new one behind it, even when the subscriber leaves', () => {
      virtually((at) => {
        const station = cache();
        const api = origin(swr, { ...swr, body: 'second', after: 100 });
        ask(station, api, get(URL));
        at(70_000, () => {
          const { response } = ask(station, api, get(URL));
          expect(response).toMatchObject({ body: 'first', cacheStatus: 'coldfetch; hit; ttl=-10; detail=stale-while-revalidate' });
        });
        at(70_050, () => {
          ask(station, api, get(URL));
          expect(api.requests).toHaveLength(2);
        });
        at(70_101, () =>
          expect(ask(station, api, get(URL)).response).toMatchObject({ body: 'second', cacheStatus: 'coldfetch; hit; ttl=59' }),
        );
        at(70_200, () => expect(api.aborted).toBe(0));
      });
    });

    it('ends with its time', () => {
      virtually((at) => {
        const station = cache();
        const api = origin(swr, { ...swr, body: 'second' });
        ask(station, api, get(URL));
        at(90_000, () => expect(ask(station, api, get(URL)).response?.body).toBe('second'));
      });
    });

    it('keeps the stale answer when the refresh fails, and says nothing', () => {
      virtually((at) => {
        const station = cache({ staleWhileRevalidate: 30_000 });
        const api = origin({ ...fresh, body: 'first' }, { error: down });
        ask(station, api, get(URL));
        at(70_000, () => expect(ask(station, api, get(URL))).toMatchObject({ error: undefined, response: { body: 'first' } }));
        at(71_000, () => expect(ask(station, api, get(URL)).response?.body).toBe('first'));
      });
    });
  });

  describe('stale-if-error', () => {
    const sie = { headers: { 'cache-control': 'max-age=60, stale-if-error=600' }, body: 'first' };

    it.each<[string, Reply]>([
      ['a network failure', { error: down }],
      ['a timeout', { error: new TimeoutError('slow', 1000) }],
      ['a missed deadline', { error: new DeadlineError('late', 'deadline') }],
      ['a deadline that cannot be met', { error: new DeadlineError('late', 'infeasible') }],
      ['an open breaker', { error: new LimiterError('open') }],
      ['a 429', { status: 429 }],
      ['a 500', { status: 500 }],
      ['a 503', { status: 503 }],
    ])('stands in for %s', (_, failure) => {
      virtually((at) => {
        const station = cache();
        const api = origin(sie, failure);
        ask(station, api, get(URL));
        at(100_000, () => {
          const { response, error } = ask(station, api, get(URL));
          expect(error).toBeUndefined();
          expect(response?.body).toBe('first');
          const status = failure.status === undefined ? '' : `; fwd-status=${failure.status}`;
          expect(response?.cacheStatus).toBe(`coldfetch; fwd=stale${status}; ttl=-40; detail=stale-if-error`);
        });
      });
    });

    it.each<[string, Reply]>([
      ['a 400', { status: 400 }],
      ['a 401', { status: 401 }],
      ['an error of the caller', { error: new Error('bug') }],
    ])('does not stand in for %s', (_, failure) => {
      virtually((at) => {
        const station = cache({ staleIfError: Infinity });
        const api = origin(sie, failure);
        ask(station, api, get(URL));
        at(100_000, () => expect(ask(station, api, get(URL)).error).toBeDefined());
      });
    });

    it('ends with its time', () => {
      virtually((at) => {
        const station = cache();
        const api = origin(sie, { error: down });
        ask(station, api, get(URL));
        at(660_000, () => expect(ask(station, api, get(URL)).error).toBe(down));
      });
    });

    it.each(['must-revalidate', 'no-cache'])('is not for what says %s', (directive) => {
      virtually((at) => {
        const station = cache({ staleIfError: Infinity });
        const api = origin({ headers: { 'cache-control': `max-age=60, ${directive}`, etag: '"1"' } }, { error: down });
        ask(station, api, get(URL));
        at(100_000, () => expect(ask(station, api, get(URL)).error).toBe(down));
      });
    });

    it('stands in at once while a breaker is open, and withdraws the request', () => {
      virtually((at) => {
        const waits = {
          type: 'wait',
          attempt: 1,
          delay: 30_000,
          until: 0,
          kind: 'gate',
          source: 'breaker',
          capped: false,
          elapsed: 0,
        } as const;
        let held = 0;
        const breaker: Handler = () => concat(of(waits), NEVER).pipe(tap({ subscribe: () => held++, unsubscribe: () => held-- }));
        const station = cache();
        ask(station, origin(sie), get(URL));
        at(100_000, () => {
          const { events, completed } = hear(station(get(URL), breaker));
          expect(events).toEqual([expect.objectContaining({ cacheStatus: 'coldfetch; fwd=stale; ttl=-40; detail=stale-if-error' })]);
          expect(completed).toBe(true);
          expect(held).toBe(0);
        });
        at(700_000, () => expect(hear(station(get(URL), breaker)).events).toEqual([waits]));
      });
    });

    it('stands in at once with the breaker of a client', () => {
      virtually((at) => {
        const fetch = scriptedFetch([reply(200, { json: 1, headers: { 'cache-control': 'max-age=60, stale-if-error=600' } }), reply(503)]);
        const pace = circuitBreaker({ consecutive: 1, openFor: 30_000 });
        const http = createClient({ fetch, pace, retry: false, cache: true });
        const read = (): number[] => {
          const answered: number[] = [];
          http.get(URL).subscribe(() => answered.push(wallClock()));
          return answered;
        };
        read();
        at(70_000, read);
        at(71_000, () => expect(read()).toEqual([71_000]));
      });
    });

    it('passes on that retry gave up only with the error', () => {
      virtually((at) => {
        const gaveUp = { type: 'gave-up', attempt: 4, reason: 'exhausted', elapsed: 1, error: down } as const;
        const failing: Handler = () =>
          concat(
            of(gaveUp),
            throwError(() => down),
          );
        const station = cache();
        ask(station, origin(sie), get(URL));
        at(100_000, () => expect(hear(station(get(URL), failing)).events.map(({ type }) => type)).toEqual(['response']));
        at(700_000, () => expect(hear(station(get(URL), failing))).toMatchObject({ events: [gaveUp], error: down }));
      });
    });
  });

  describe('a time-to-live of one’s own', () => {
    it.each(['no-cache', 'max-age=0, must-revalidate', 'private, max-age=1'])('overrides "%s"', (directive) => {
      virtually((at) => {
        const station = cache({ ttl: 10_000 });
        const api = origin({ headers: { 'cache-control': directive, etag: '"1"' } }, { status: 304, headers: { etag: '"1"' } });
        ask(station, api, get(URL));
        at(9_999, () => expect(ask(station, api, get(URL)).response?.cacheStatus).toBe('coldfetch; hit; ttl=0'));
        at(10_000, () => expect(ask(station, api, get(URL)).response?.cacheStatus).toMatch(/^coldfetch; fwd=stale; fwd-status=304/));
        at(19_999, () => expect(ask(station, api, get(URL)).response?.cacheStatus).toMatch(/hit/));
      });
    });

    it('shortens as well', () => {
      virtually((at) => {
        const station = cache({ ttl: 1_000 });
        const api = origin(fresh);
        ask(station, api, get(URL));
        at(2_000, () => expect(ask(station, api, get(URL)).response?.cacheStatus).toMatch(/fwd=stale/));
      });
    });

    it('does not override no-store, nor private in a shared cache', () => {
      const api = origin({ headers: { 'cache-control': 'no-store' } });
      const station = cache({ ttl: 10_000 });
      ask(station, api, get(URL));
      expect(ask(station, api, get(URL)).response?.cacheStatus).toBe('coldfetch; fwd=uri-miss');
      const shared = cache({ ttl: 10_000, shared: true });
      const personal = origin({ headers: { 'cache-control': 'private' } });
      ask(shared, personal, get(URL));
      expect(ask(shared, personal, get(URL)).response?.cacheStatus).toBe('coldfetch; fwd=uri-miss');
    });

    it('may depend on the request', () => {
      virtually((at) => {
        const station = cache({ ttl: ({ url }) => (url.endsWith('/slow') ? 10_000 : undefined) });
        const api = origin({});
        for (const path of ['/slow', '/fast']) ask(station, api, get(URL + path));
        at(5_000, () => {
          expect(ask(station, api, get(`${URL}/slow`)).response?.cacheStatus).toMatch(/hit/);
          expect(ask(station, api, get(`${URL}/fast`)).response?.cacheStatus).toMatch(/fwd=uri-miss/);
        });
      });
    });
  });

  describe('one request in flight', () => {
    it('serves all who want the same, each in their own form', () => {
      virtually((at) => {
        const station = cache();
        const api = origin({ after: 100, body: '{"n":1}' });
        const first = ask(station, api, get(URL));
        at(50, () => {
          const second = ask(station, api, get(URL, { responseType: 'json' }));
          // Those who come late hear what has happened.
          expect(second.events.map(({ type }) => type)).toEqual(['sent']);
          at(50, () => {
            expect(first.response).toMatchObject({ body: '{"n":1}', cacheStatus: 'coldfetch; fwd=uri-miss' });
            expect(second.response).toMatchObject({ body: { n: 1 }, cacheStatus: 'coldfetch; fwd=uri-miss; collapsed' });
            expect(api.requests).toHaveLength(1);
          });
        });
      });
    });

    it('is aborted by the last who leaves', () => {
      const station = cache();
      const api = origin({ silent: true });
      const subscriptions = [1, 2, 3].map(() => station(get(URL), api.handler).subscribe());
      subscriptions[0]?.unsubscribe();
      subscriptions[2]?.unsubscribe();
      expect(api.aborted).toBe(0);
      subscriptions[1]?.unsubscribe();
      expect(api).toMatchObject({ aborted: 1 });
      expect(api.requests).toHaveLength(1);
      station(get(URL), api.handler).subscribe().unsubscribe();
      expect(api.requests).toHaveLength(2);
    });

    it('fails for all of them', () => {
      virtually((at) => {
        const station = cache();
        const api = origin({ after: 100, error: down }, fresh);
        const heard = [1, 2].map(() => ask(station, api, get(URL)));
        at(101, () => {
          expect(heard.map(({ error }) => error)).toEqual([down, down]);
          expect(ask(station, api, get(URL)).response).toBeDefined();
        });
      });
    });

    it("goes on for the others when one's own signal aborts", () => {
      virtually((at) => {
        const station = cache();
        const api = origin({ after: 100 });
        const controller = new AbortController();
        const reason = new Error('changed my mind');
        const first = ask(station, api, get(URL, { signal: controller.signal }));
        const second = ask(station, api, get(URL));
        controller.abort(reason);
        expect(first.error).toBe(reason);
        at(101, () => expect(second.response).toBeDefined());
      });
    });

    it('ends without an answer when abort$ emits', () => {
      const api = origin({ silent: true });
      const abort$ = new Subject<void>();
      const heard = ask(cache(), api, get(URL, { abort$ }));
      abort$.next();
      expect({ completed: heard.completed, aborted: api.aborted }).toEqual({ completed: true, aborted: 1 });
      expect(ask(cache(), api, get(URL, { abort$: of(1) })).completed).toBe(true);
      expect(api.requests).toHaveLength(1);
    });

    it('is not shared by requests that differ in a header field, but for their ids', () => {
      const station = cache();
      const api = origin({ silent: true });
      const withId = (id: string): void => {
        hear(station(get(URL, { headers: { 'x-id': id }, context: HttpContext.of(REQUEST_ID, id) }), api.handler));
      };
      withId('1');
      withId('2');
      expect(api.requests).toHaveLength(1);
      ask(station, api, get(URL, { headers: { accept: 'text/csv' } }));
      expect(api.requests).toHaveLength(2);
    });
  });

  describe('behind a redirect', () => {
    const elsewhere = 'https://api.example/rows/v1';
    /** Answers from elsewhere, as `fetch` does when it has followed a redirect. */
    const redirecting =
      (api: Origin, url = elsewhere): Handler =>
      (request) =>
        api.handler(request).pipe(map((event) => ('url' in event ? { ...event, url } : event)));
    const immutable = { 'cache-control': 'max-age=31536000, immutable, stale-while-revalidate=60', etag: '"1"' };

    it('asks again, since for how long that holds nobody says', () => {
      virtually((at) => {
        const station = cache();
        const api = origin({ headers: immutable, body: 'first' }, { status: 304 }, { headers: immutable, body: 'second' });
        const read = (url?: string): ResponseEvent | undefined => hear(station(get(URL), redirecting(api, url))).response;
        read();
        at(10_000, () => expect(read()).toMatchObject({ body: 'first', cacheStatus: 'coldfetch; fwd=stale; fwd-status=304; stored' }));
        at(20_000, () => expect(read('https://api.example/rows/v2')?.body).toBe('second'));
      });
    });

    it('does not take a 304 of another place for one about the stored answer', () => {
      const station = cache();
      const api = origin(
        { headers: immutable, body: 'first' },
        { status: 304, headers: { etag: '"1"' } },
        { headers: immutable, body: 'second' },
      );
      hear(station(get(URL), redirecting(api)));
      const { response } = hear(station(get(URL), redirecting(api, 'https://api.example/rows/v2')));
      expect(response?.body).toBe('second');
      expect(api.requests[2]?.headers.has('if-none-match')).toBe(false);
    });

    it('keeps to a time-to-live of one’s own', () => {
      const station = cache({ ttl: 60_000 });
      const api = origin({ headers: immutable });
      hear(station(get(URL), redirecting(api)));
      expect(hear(station(get(URL), redirecting(api))).response?.cacheStatus).toContain('hit');
    });

    it('does not take another way to write a URL for one', () => {
      const station = cache();
      const api = origin({ headers: immutable });
      const read = (): string | undefined =>
        hear(station(get('https://API.example#top'), redirecting(api, 'https://api.example/'))).response?.cacheStatus;
      read();
      expect(read()).toContain('hit');
    });
  });

  it.each<CacheOptions>([{}, { ttl: 60_000 }])('takes an answer from the future for stale: a clock was set back (%o)', (options) => {
    const station = cache(options);
    const api = origin(fresh);
    // In real time, then in virtual time, which begins in 1970.
    ask(station, api, get(URL));
    virtually(() => {
      expect(ask(station, api, get(URL)).response?.cacheStatus).toBe('coldfetch; fwd=stale; stored');
      expect(ask(station, api, get(URL)).response?.headers.get('age')).toBe('0');
    });
  });

  describe('writes', () => {
    it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('void what is stored: %s', (method) => {
      const station = cache();
      const api = origin(fresh);
      ask(station, api, get(URL));
      const { response } = ask(station, api, get(URL, { method }));
      expect(response?.cacheStatus).toBe('coldfetch; fwd=method');
      expect(ask(station, api, get(URL)).response?.cacheStatus).toMatch(/fwd=uri-miss/);
    });

    it('are never answered from the cache nor stored', () => {
      const station = cache({ ttl: 60_000 });
      const api = origin(fresh);
      ask(station, api, get(URL, { method: 'POST' }));
      ask(station, api, get(URL, { method: 'POST' }));
      ask(station, api, get(URL));
      expect(api.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
    });

    it('void the Location and Content-Location of their answer, in their origin', () => {
      const station = cache();
      const [made, about, foreign] = ['https://api.example/rows/7', 'https://api.example/about', 'https://other.example/rows'];
      const read = origin(fresh);
      for (const url of [made, about, foreign]) ask(station, read, get(url));
      ask(station, origin({ headers: { location: '/rows/7', 'content-location': about } }), get(URL, { method: 'POST' }));
      ask(station, origin({ headers: { location: foreign } }), get(URL, { method: 'POST' }));
      const isHit = (url: string): boolean | undefined => ask(station, read, get(url)).response?.cacheStatus?.includes('hit');
      expect([made, about, foreign].map(isHit)).toEqual([false, false, true]);
    });

    it.each([
      ['that the server refused leave it', { status: 409 }, 'hit'],
      ['that failed on the server leave it', { status: 500 }, 'hit'],
      ['whose answer was lost void it', { error: down }, 'fwd=uri-miss'],
    ])('%s', (_, failure, expected) => {
      const station = cache();
      ask(station, origin(fresh), get(URL));
      ask(station, origin(failure), get(URL, { method: 'PUT' }));
      expect(ask(station, origin(fresh), get(URL)).response?.cacheStatus).toContain(expected);
    });

    it('that were abandoned after they had been sent void it', () => {
      const station = cache();
      ask(station, origin(fresh), get(URL));
      station(get(URL, { method: 'PUT' }), origin({ silent: true }).handler)
        .subscribe()
        .unsubscribe();
      expect(ask(station, origin(fresh), get(URL)).response?.cacheStatus).toContain('fwd=uri-miss');
    });

    it('void what is in flight: it answers those who wait, and is not kept', () => {
      virtually((at) => {
        const station = cache();
        const api = origin({ ...fresh, body: 'old', after: 100 }, {}, { ...fresh, body: 'new' });
        const waiting = ask(station, api, get(URL));
        at(50, () => ask(station, api, get(URL, { method: 'POST' })));
        at(60, () => expect(ask(station, api, get(URL)).response?.body).toBe('new'));
        at(200, () => {
          expect(waiting.response?.body).toBe('old');
          expect(ask(station, api, get(URL)).response?.body).toBe('new');
        });
      });
    });

    it('void what a slow store is just being given', () => {
      virtually((at) => {
        const entries = memoryCache();
        const store: CacheStore = {
          ...entries,
          set: (key, entry) => wait(100).pipe(map(() => entries.set(key, entry))),
        };
        const station = cache({ store });
        const api = origin({ ...fresh, body: 'old' }, {}, { ...fresh, body: 'new' });
        ask(station, api, get(URL));
        at(50, () => ask(station, api, get(URL, { method: 'POST' })));
        at(200, () => ask(station, api, get(URL)));
        at(400, () => expect(ask(station, api, get(URL)).response?.body).toBe('new'));
      });
    });

    it('void what everybody may read, whoever writes', () => {
      const station = cache();
      const api = origin(fresh);
      ask(station, api, get(URL));
      ask(station, api, get(URL, { method: 'POST', headers: { authorization: 'Bearer secret' } }));
      expect(ask(station, api, get(URL)).response?.cacheStatus).toMatch(/fwd=uri-miss/);
    });

    it('void all variants', () => {
      virtually((at) => {
        const station = cache();
        const api = origin({ headers: { 'cache-control': 'max-age=60', vary: 'accept' } });
        const read = (accept: string): string | undefined => ask(station, api, get(URL, { headers: { accept } })).response?.cacheStatus;
        read('a/a');
        read('b/b');
        at(1_000, () => ask(station, api, get(URL, { method: 'POST' })));
        at(2_000, () => {
          expect(read('a/a')).toContain('fwd=vary-miss');
          expect(read('b/b')).toContain('fwd=vary-miss');
          expect(read('a/a')).toContain('hit');
        });
      });
    });
  });

  describe('is passed by', () => {
    it.each<[string, HttpRequestInit & { readonly method?: string }]>([
      ['a range', { headers: { range: 'bytes=0-9' } }],
      ['a conditional request', { headers: { 'if-none-match': '"1"' } }],
      ['a request with no-store', { headers: { 'cache-control': 'no-store' } }],
      ['OPTIONS', { method: 'OPTIONS' }],
    ])('by %s', (_, init) => {
      const station = cache();
      const api = origin(fresh);
      ask(station, api, get(URL, { method: init.method ?? 'GET' }));
      const { response } = ask(station, api, get(URL, init));
      expect(response?.cacheStatus).toBe('coldfetch; fwd=bypass');
      expect(api.requests).toHaveLength(2);
      expect(api.requests[1]?.responseType).toBe(init.responseType ?? 'text');
    });
  });

  describe('obeys the cache mode of fetch', () => {
    const read = (mode: string): { status: string | undefined; error: unknown } => {
      const station = cache();
      const api = origin({ headers: { 'cache-control': 'max-age=0', etag: '"1"' } });
      const fetchOptions: FetchOptions & { cache: string } = { cache: mode };
      if (mode !== 'only-if-cached') ask(station, api, get(URL));
      const { response, error } = ask(station, api, get(URL, { fetchOptions }));
      return { status: response?.cacheStatus, error };
    };

    it.each([
      ['default', 'coldfetch; fwd=stale; stored'],
      ['no-cache', 'coldfetch; fwd=request; stored'],
      ['reload', 'coldfetch; fwd=request; stored'],
      ['no-store', 'coldfetch; fwd=bypass'],
      ['force-cache', 'coldfetch; hit; ttl=0'],
    ])('%s', (mode, status) => {
      virtually(() => expect(read(mode).status).toBe(status));
    });

    it('only-if-cached', () => {
      expect(read('only-if-cached').error).toMatchObject({ status: 504 });
    });
  });

  describe('keeps people apart', () => {
    const personal = { headers: { 'cache-control': 'private, max-age=60' } };
    const as = (who: string) => get(URL, { headers: { authorization: `Bearer ${who}` } });

    it.each(CREDENTIAL_FIELDS)('by %s, whatever the server says', (name) => {
      const station = cache();
      const api = origin({ ...fresh, body: 'for ada' }, { ...fresh, body: 'for bob' });
      const read = (who: string): unknown => ask(station, api, get(URL, { headers: { [name]: who } })).response?.body;
      expect([read('ada'), read('bob'), read('ada')]).toEqual(['for ada', 'for bob', 'for ada']);
    });

    it('in a shared cache, by keeping nothing that is private or was authorized', () => {
      for (const [reply, request] of [
        [personal, get(URL)],
        [fresh, as('ada')],
      ] as const) {
        const station = cache({ shared: true });
        const api = origin(reply);
        ask(station, api, request);
        ask(station, api, request);
        expect(api.requests).toHaveLength(2);
      }
    });

    it('in a shared cache, unless the answer says that it is public', () => {
      const station = cache({ shared: true });
      const api = origin({ headers: { 'cache-control': 'public, max-age=60' } });
      ask(station, api, as('ada'));
      expect(ask(station, api, as('bob')).response?.cacheStatus).toContain('hit');
    });

    describe('that attempt interceptors sign in', () => {
      /** Reads as somebody, through one client for all of them. */
      const readers = (reply: Reply): ((who: string) => Heard) => {
        const station = cache({ ttl: 60_000 });
        return (who) => {
          const signed: Handler = (request) => {
            const headers = new Headers({ ...Object.fromEntries(request.headers), authorization: who });
            return defer(() => {
              request.context.get(ON_SEND)?.(headers);
              return origin({ body: who, ...reply }).handler(request);
            });
          };
          return hear(station(get(URL), signed));
        };
      };

      it.each([{}, { 'cache-control': 'private, max-age=60' }, { vary: 'authorization', 'cache-control': 'public, max-age=60' }])(
        'by keeping nothing of %o',
        (headers) => {
          const read = readers({ headers });
          for (const who of ['ada', 'bob']) {
            expect(read(who).response).toMatchObject({ body: who, cacheStatus: 'coldfetch; fwd=uri-miss; detail=unseen-credentials' });
          }
        },
      );

      it('unless the answer says that it is public', () => {
        const read = readers({ headers: { 'cache-control': 'public, max-age=60' } });
        expect(['ada', 'bob'].map((who) => read(who).response?.body)).toEqual(['ada', 'ada']);
      });

      it.each<[string, Reply, (heard: Heard) => unknown]>([
        ['answer', { after: 100 }, ({ response }) => response?.body],
        ['refusal', { after: 100, status: 403 }, ({ error }) => error],
      ])('by giving nobody the %s to a request of somebody else', (_, reply, told) => {
        virtually((at) => {
          const read = readers(reply);
          const [ada, bob, ann] = ['ada', 'bob', 'ann'].map(read) as [Heard, Heard, Heard];
          at(300, () => {
            expect(told(ada)).toBeDefined();
            expect(new Set([ada, bob, ann].map(told)).size).toBe(3);
          });
        });
      });

      it('but for an answer that says that it is public', () => {
        virtually((at) => {
          const read = readers({ after: 100, headers: { 'cache-control': 'public, max-age=60' } });
          const heard = ['ada', 'bob'].map(read);
          at(300, () => expect(heard.map(({ response }) => response?.body)).toEqual(['ada', 'ada']));
        });
      });
    });

    it('without writing a credential into a key', () => {
      const keys: string[] = [];
      const store = memoryCache();
      const station = cache({ store: { ...store, set: (key, entry) => (keys.push(key), store.set(key, entry)) } });
      ask(station, origin({ headers: { 'cache-control': 'max-age=60', vary: 'authorization' } }), as('secret'));
      expect(keys).toHaveLength(2);
      expect(keys.join()).not.toContain('secret');
    });
  });

  describe('a store', () => {
    const failing: CacheStore = {
      get: () => throwError(() => new Error('disk')),
      set: () => Promise.reject(new Error('disk')),
      delete: () => {
        throw new Error('disk');
      },
    };

    it('that fails costs a request, never an answer, and the answer tells', async () => {
      const station = cache({ store: failing });
      const api = origin(fresh);
      const heard = ask(station, api, get(URL));
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(heard.response?.cacheStatus).toBe('coldfetch; fwd=uri-miss; detail=store-failed');
      expect(ask(station, api, get(URL, { method: 'POST' })).response).toBeDefined();
    });

    it('may take its time: an answer is passed on when it is kept', async () => {
      const entries = new Map<string, CacheEntry>();
      const slow: CacheStore = {
        get: (key) => Promise.resolve(entries.get(key)),
        set: (key, entry) => Promise.resolve().then(() => entries.set(key, entry).size > 0),
        delete: (key) => Promise.resolve(entries.delete(key)),
      };
      const station = cache({ store: slow });
      const api = origin(fresh);
      const statuses: (string | undefined)[] = [];
      for (let i = 0; i < 2; i++) {
        await new Promise<void>((resolve) => {
          station(get(URL), api.handler).subscribe({
            next: (event) => {
              if (event.type === 'response') statuses.push(event.cacheStatus);
            },
            complete: resolve,
          });
        });
      }
      expect(statuses).toEqual(['coldfetch; fwd=uri-miss; stored', expect.stringContaining('; hit;')]);
    });

    it('that says nothing costs no answer either', () => {
      const station = cache({ store: { get: () => EMPTY, set: () => EMPTY, delete: () => EMPTY } });
      expect(ask(station, origin(fresh), get(URL)).response?.body).toBe('body');
      expect(ask(station, origin(fresh), get(URL, { method: 'POST' })).response?.body).toBe('body');
    });

    it('that is never done does not outlive its subscriber', () => {
      const station = cache({ store: { get: () => NEVER, set: () => EMPTY, delete: () => EMPTY } });
      const api = origin(fresh);
      station(get(URL), api.handler).subscribe().unsubscribe();
      expect(api.requests).toHaveLength(0);
    });
  });

  it('shares nothing between two caches', () => {
    const api = origin(fresh);
    ask(cache(), api, get(URL));
    ask(cache(), api, get(URL));
    expect(api.requests).toHaveLength(2);
  });

  it('keeps no failure: a 503 and a 429 are asked for again', () => {
    const station = cache({ ttl: 60_000 });
    const api = origin(
      { status: 503, headers: { 'cache-control': 'max-age=60' } },
      { status: 429, headers: { 'cache-control': 'max-age=60' } },
      {},
    );
    expect(isHttpError(ask(station, api, get(URL)).error)).toBe(true);
    expect(isHttpError(ask(station, api, get(URL)).error)).toBe(true);
    expect(ask(station, api, get(URL)).response).toBeDefined();
  });

  it.each<[string, object]>([
    ['ttl is -1; give a number, 0 or more', { ttl: -1 }],
    ['ttl is NaN; give a number, 0 or more', { ttl: NaN }],
    ['ttl is 60s; give a number, 0 or more', { ttl: '60s' }],
    ['staleIfError is -1; give a number, 0 or more', { staleIfError: -1 }],
    ['staleWhileRevalidate is NaN; give a number, 0 or more', { staleWhileRevalidate: NaN }],
    ['heuristic is -0.1; give a number, 0 or more', { heuristic: -0.1 }],
    ['maxAge is unknown; say it as ttl, in milliseconds', { maxAge: 60 }],
    ['size is unknown; say it as store: memoryCache()', memoryCache()],
    ['the store has no get; give memoryCache(), or { get, set, delete }', { store: memoryCache }],
  ])('refuses options: %s', (message, options) => {
    const error = failureOf(() => cache(options));
    expect([isUsageError(error), error.message]).toEqual([true, `cache: ${message}`]);
  });
});
