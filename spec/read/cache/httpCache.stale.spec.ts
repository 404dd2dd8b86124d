import { concat, NEVER, of, tap, throwError } from 'rxjs';
import { circuitBreaker, createClient } from 'coldfetch';
import { reply, scriptedFetch } from 'coldfetch/testing';
import { describe, expect, it } from 'vitest';
import { httpCache } from '../../../src/read/cache/httpCache.js';
import { DeadlineError } from '../../../src/request/errors/DeadlineError.js';
import { LimiterError } from '../../../src/request/errors/LimiterError.js';
import { TimeoutError } from '../../../src/request/errors/TimeoutError.js';
import type { Handler } from '../../../src/request/Handler.js';
import { wallClock } from '../../../src/time.js';
import { ask, down, fresh, get, hear, origin, type Reply, ROWS, virtually } from '../support/origin.js';

describe('cache', () => {
  describe('when an answer is stale', () => {
    const etag = { headers: { 'cache-control': 'max-age=60', etag: '"1"', 'x-build': '1' }, body: 'first' };

    it('asks with its validators; a 304 renews the header fields, keeps the body, and makes it fresh again', () => {
      virtually((at) => {
        const interceptor = httpCache();
        const notModified = {
          status: 304,
          headers: { 'cache-control': 'max-age=100', etag: '"1"', 'x-build': '2', 'ratelimit-remaining': '3' },
        };
        const api = origin({ ...etag, headers: { ...etag.headers, 'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT' } }, notModified);
        ask(interceptor, api, get(ROWS));
        at(61_000, () => {
          const { response, events } = ask(interceptor, api, get(ROWS));
          expect(Object.fromEntries(api.requests[1]?.headers ?? [])).toEqual({
            'if-none-match': '"1"',
            'if-modified-since': 'Wed, 21 Oct 2015 07:28:00 GMT',
          });
          expect(response).toMatchObject({ status: 200, body: 'first', cacheStatus: 'coldfetch; fwd=stale; fwd-status=304; stored' });
          expect(response?.headers.get('x-build')).toBe('2');
          // The 304 itself passed the pipeline, where pace hears it.
          expect(events).toContainEqual(expect.objectContaining({ type: 'headers', status: 304 }));
        });
        at(160_000, () => expect(ask(interceptor, api, get(ROWS)).response?.cacheStatus).toBe('coldfetch; hit; ttl=1'));
      });
    });

    it('takes a new answer in its place', () => {
      virtually((at) => {
        const interceptor = httpCache();
        const api = origin(etag, { ...etag, body: 'second' });
        ask(interceptor, api, get(ROWS));
        at(61_000, () =>
          expect(ask(interceptor, api, get(ROWS)).response).toMatchObject({ body: 'second', cacheStatus: 'coldfetch; fwd=stale; stored' }),
        );
        at(62_000, () => expect(ask(interceptor, api, get(ROWS)).response?.body).toBe('second'));
      });
    });

    it('asks anew when the 304 is about another version', () => {
      virtually((at) => {
        const interceptor = httpCache();
        const api = origin(etag, { status: 304, headers: { etag: '"2"' } }, { ...fresh, body: 'second' });
        ask(interceptor, api, get(ROWS));
        at(61_000, () => {
          expect(ask(interceptor, api, get(ROWS)).response?.body).toBe('second');
          expect(api.requests[2]?.headers.has('if-none-match')).toBe(false);
        });
      });
    });

    it.each([404, 410])('forgets it after a %i', (status) => {
      virtually((at) => {
        const interceptor = httpCache({ staleIfError: Infinity });
        const api = origin(etag, { status }, { error: down });
        ask(interceptor, api, get(ROWS));
        at(61_000, () => expect(ask(interceptor, api, get(ROWS)).error).toMatchObject({ status }));
        at(62_000, () => expect(ask(interceptor, api, get(ROWS)).error).toBe(down));
      });
    });

    it('forgets it when the new answer may not be stored', () => {
      virtually((at) => {
        const interceptor = httpCache({ staleIfError: Infinity });
        const api = origin(etag, { headers: { 'cache-control': 'no-store' }, body: 'second' }, { error: down });
        ask(interceptor, api, get(ROWS));
        at(61_000, () => expect(ask(interceptor, api, get(ROWS)).response?.body).toBe('second'));
        at(62_000, () => expect(ask(interceptor, api, get(ROWS)).error).toBe(down));
      });
    });
  });

  describe.each([
    ['stale-while-revalidate', 'max-age=0, stale-while-revalidate=60', {}],
    ['the option staleWhileRevalidate', 'max-age=0', { staleWhileRevalidate: 60_000 }],
  ])('an answer without validator that is stale at once, by %s', (_case, cacheControl, options) => {
    it('is used while a new one is fetched', () => {
      virtually((at) => {
        const interceptor = httpCache(options);
        const api = origin({ headers: { 'cache-control': cacheControl }, body: 'first' }, { body: 'second' });
        expect(ask(interceptor, api, get(ROWS)).response?.cacheStatus).toBe('coldfetch; fwd=uri-miss; stored');
        at(10_000, () => {
          expect(ask(interceptor, api, get(ROWS)).response).toMatchObject({
            body: 'first',
            cacheStatus: 'coldfetch; hit; ttl=-10; detail=stale-while-revalidate',
          });
          expect(api.requests).toHaveLength(2);
        });
      });
    });

    it.each(['must-revalidate', 'no-cache'])('is not stored where %s forbids to use it', (directive) => {
      virtually(() => {
        const api = origin({ headers: { 'cache-control': `${cacheControl}, ${directive}` } });
        expect(ask(httpCache(options), api, get(ROWS)).response?.cacheStatus).toBe('coldfetch; fwd=uri-miss');
      });
    });
  });

  describe('stale-while-revalidate', () => {
    const swr = { headers: { 'cache-control': 'max-age=60, stale-while-revalidate=30' }, body: 'first' };

    it('gives the stale answer and fetches a new one behind it, even when the subscriber leaves', () => {
      virtually((at) => {
        const interceptor = httpCache();
        const api = origin(swr, { ...swr, body: 'second', after: 100 });
        ask(interceptor, api, get(ROWS));
        at(70_000, () => {
          const { response } = ask(interceptor, api, get(ROWS));
          expect(response).toMatchObject({ body: 'first', cacheStatus: 'coldfetch; hit; ttl=-10; detail=stale-while-revalidate' });
        });
        at(70_050, () => {
          ask(interceptor, api, get(ROWS));
          expect(api.requests).toHaveLength(2);
        });
        at(70_101, () =>
          expect(ask(interceptor, api, get(ROWS)).response).toMatchObject({ body: 'second', cacheStatus: 'coldfetch; hit; ttl=59' }),
        );
        at(70_200, () => expect(api.aborted).toBe(0));
      });
    });

    it('ends with its time', () => {
      virtually((at) => {
        const interceptor = httpCache();
        const api = origin(swr, { ...swr, body: 'second' });
        ask(interceptor, api, get(ROWS));
        at(90_000, () => expect(ask(interceptor, api, get(ROWS)).response?.body).toBe('second'));
      });
    });

    it('keeps the stale answer when the refresh fails, and says nothing', () => {
      virtually((at) => {
        const interceptor = httpCache({ staleWhileRevalidate: 30_000 });
        const api = origin({ ...fresh, body: 'first' }, { error: down });
        ask(interceptor, api, get(ROWS));
        at(70_000, () => expect(ask(interceptor, api, get(ROWS))).toMatchObject({ error: undefined, response: { body: 'first' } }));
        at(71_000, () => expect(ask(interceptor, api, get(ROWS)).response?.body).toBe('first'));
      });
    });
  });

  describe('stale-if-error', () => {
    const sie = { headers: { 'cache-control': 'max-age=60, stale-if-error=600' }, body: 'first' };

    it.each<[string, Reply]>([
      ['a network failure', { error: down }],
      ['a timeout', { error: new TimeoutError('slow', 1000) }],
      ['a deadline that passed, or cannot be kept', { error: new DeadlineError('late') }],
      ['a server that refused every probe', { error: new LimiterError('refused', { reason: 'exhausted' }) }],
      ['a wait longer than maxWait', { error: new LimiterError('too long', { reason: 'max-wait' }) }],
      ['a full queue', { error: new LimiterError('full', { reason: 'queue-full' }) }],
      ['a 429', { status: 429 }],
      ['a 500', { status: 500 }],
      ['a 503', { status: 503 }],
    ])('stands in for %s', (_, failure) => {
      virtually((at) => {
        const interceptor = httpCache();
        const api = origin(sie, failure);
        ask(interceptor, api, get(ROWS));
        at(100_000, () => {
          const { response, error } = ask(interceptor, api, get(ROWS));
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
        const interceptor = httpCache({ staleIfError: Infinity });
        const api = origin(sie, failure);
        ask(interceptor, api, get(ROWS));
        at(100_000, () => expect(ask(interceptor, api, get(ROWS)).error).toBeDefined());
      });
    });

    it('ends with its time', () => {
      virtually((at) => {
        const interceptor = httpCache();
        const api = origin(sie, { error: down });
        ask(interceptor, api, get(ROWS));
        at(660_000, () => expect(ask(interceptor, api, get(ROWS)).error).toBe(down));
      });
    });

    it.each(['must-revalidate', 'no-cache'])('is not for what says %s', (directive) => {
      virtually((at) => {
        const interceptor = httpCache({ staleIfError: Infinity });
        const api = origin({ headers: { 'cache-control': `max-age=60, ${directive}`, etag: '"1"' } }, { error: down });
        ask(interceptor, api, get(ROWS));
        at(100_000, () => expect(ask(interceptor, api, get(ROWS)).error).toBe(down));
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
        const interceptor = httpCache();
        ask(interceptor, origin(sie), get(ROWS));
        at(100_000, () => {
          const { events, completed } = hear(interceptor(get(ROWS), breaker));
          expect(events).toEqual([expect.objectContaining({ cacheStatus: 'coldfetch; fwd=stale; ttl=-40; detail=stale-if-error' })]);
          expect(completed).toBe(true);
          expect(held).toBe(0);
        });
        at(700_000, () => expect(hear(interceptor(get(ROWS), breaker)).events).toEqual([waits]));
      });
    });

    it('stands in at once with the breaker of a client', () => {
      virtually((at) => {
        const fetch = scriptedFetch([reply(200, { json: 1, headers: { 'cache-control': 'max-age=60, stale-if-error=600' } }), reply(503)]);
        const pace = circuitBreaker({ consecutiveFailures: 1, breakDuration: 30_000 });
        const http = createClient({ fetch, pace, retry: false, cache: httpCache() });
        const read = (): number[] => {
          const answered: number[] = [];
          http.get(ROWS).subscribe(() => answered.push(wallClock()));
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
        const interceptor = httpCache();
        ask(interceptor, origin(sie), get(ROWS));
        at(100_000, () => expect(hear(interceptor(get(ROWS), failing)).events.map(({ type }) => type)).toEqual(['response']));
        at(700_000, () => expect(hear(interceptor(get(ROWS), failing))).toMatchObject({ events: [gaveUp], error: down }));
      });
    });
  });
});
