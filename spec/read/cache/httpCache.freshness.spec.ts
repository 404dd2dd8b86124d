import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { httpCache } from '../../../src/read/cache/httpCache.js';
import type { CacheOptions } from '../../../src/read/cache/CacheOptions.js';
import type { Handler } from '../../../src/request/Handler.js';
import type { ResponseEvent } from '../../../src/request/HttpEvent.js';
import { ask, fresh, get, hear, type Origin, origin, ROWS, virtually } from '../support/origin.js';

describe('cache', () => {
  describe('a time-to-live of one’s own', () => {
    it.each(['no-cache', 'max-age=0, must-revalidate', 'private, max-age=1'])('overrides "%s"', (directive) => {
      virtually((at) => {
        const interceptor = httpCache({ ttl: 10_000 });
        const api = origin({ headers: { 'cache-control': directive, etag: '"1"' } }, { status: 304, headers: { etag: '"1"' } });
        ask(interceptor, api, get(ROWS));
        at(9_999, () => expect(ask(interceptor, api, get(ROWS)).response?.cacheStatus).toBe('coldfetch; hit; ttl=0'));
        at(10_000, () => expect(ask(interceptor, api, get(ROWS)).response?.cacheStatus).toMatch(/^coldfetch; fwd=stale; fwd-status=304/));
        at(19_999, () => expect(ask(interceptor, api, get(ROWS)).response?.cacheStatus).toMatch(/hit/));
      });
    });

    it('shortens as well', () => {
      virtually((at) => {
        const interceptor = httpCache({ ttl: 1_000 });
        const api = origin(fresh);
        ask(interceptor, api, get(ROWS));
        at(2_000, () => expect(ask(interceptor, api, get(ROWS)).response?.cacheStatus).toMatch(/fwd=stale/));
      });
    });

    it('does not override no-store, nor private in a shared cache', () => {
      const api = origin({ headers: { 'cache-control': 'no-store' } });
      const interceptor = httpCache({ ttl: 10_000 });
      ask(interceptor, api, get(ROWS));
      expect(ask(interceptor, api, get(ROWS)).response?.cacheStatus).toBe('coldfetch; fwd=uri-miss');
      const shared = httpCache({ ttl: 10_000, shared: true });
      const personal = origin({ headers: { 'cache-control': 'private' } });
      ask(shared, personal, get(ROWS));
      expect(ask(shared, personal, get(ROWS)).response?.cacheStatus).toBe('coldfetch; fwd=uri-miss');
    });

    it('may depend on the request', () => {
      virtually((at) => {
        const interceptor = httpCache({ ttl: ({ url }) => (url.endsWith('/slow') ? 10_000 : undefined) });
        const api = origin({});
        for (const path of ['/slow', '/fast']) ask(interceptor, api, get(ROWS + path));
        at(5_000, () => {
          expect(ask(interceptor, api, get(`${ROWS}/slow`)).response?.cacheStatus).toMatch(/hit/);
          expect(ask(interceptor, api, get(`${ROWS}/fast`)).response?.cacheStatus).toMatch(/fwd=uri-miss/);
        });
      });
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
        const interceptor = httpCache();
        const api = origin({ headers: immutable, body: 'first' }, { status: 304 }, { headers: immutable, body: 'second' });
        const read = (url?: string): ResponseEvent | undefined => hear(interceptor(get(ROWS), redirecting(api, url))).response;
        read();
        at(10_000, () => expect(read()).toMatchObject({ body: 'first', cacheStatus: 'coldfetch; fwd=stale; fwd-status=304; stored' }));
        at(20_000, () => expect(read('https://api.example/rows/v2')?.body).toBe('second'));
      });
    });

    it('does not take a 304 of another place for one about the stored answer', () => {
      const interceptor = httpCache();
      const api = origin(
        { headers: immutable, body: 'first' },
        { status: 304, headers: { etag: '"1"' } },
        { headers: immutable, body: 'second' },
      );
      hear(interceptor(get(ROWS), redirecting(api)));
      const { response } = hear(interceptor(get(ROWS), redirecting(api, 'https://api.example/rows/v2')));
      expect(response?.body).toBe('second');
      expect(api.requests[2]?.headers.has('if-none-match')).toBe(false);
    });

    it('keeps to a time-to-live of one’s own', () => {
      const interceptor = httpCache({ ttl: 60_000 });
      const api = origin({ headers: immutable });
      hear(interceptor(get(ROWS), redirecting(api)));
      expect(hear(interceptor(get(ROWS), redirecting(api))).response?.cacheStatus).toContain('hit');
    });

    it('does not take another way to write a URL for one', () => {
      const interceptor = httpCache();
      const api = origin({ headers: immutable });
      const read = (): string | undefined =>
        hear(interceptor(get('https://API.example#top'), redirecting(api, 'https://api.example/'))).response?.cacheStatus;
      read();
      expect(read()).toContain('hit');
    });
  });

  it.each<CacheOptions>([{}, { ttl: 60_000 }])('takes an answer from the future for stale: a clock was set back (%o)', (options) => {
    const interceptor = httpCache(options);
    const api = origin(fresh);
    // Real time first, then virtual time, which begins in 1970.
    ask(interceptor, api, get(ROWS));
    virtually(() => {
      expect(ask(interceptor, api, get(ROWS)).response?.cacheStatus).toBe('coldfetch; fwd=stale; stored');
      expect(ask(interceptor, api, get(ROWS)).response?.headers.get('age')).toBe('0');
    });
  });
});
