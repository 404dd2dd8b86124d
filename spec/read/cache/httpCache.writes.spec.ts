import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { httpCache } from '../../../src/read/cache/httpCache.js';
import type { CacheStore } from '../../../src/read/cache/CacheStore.js';
import { memoryCache } from '../../../src/read/cache/memoryCache.js';
import { wait } from '../../../src/time.js';
import { ask, down, fresh, get, origin, ROWS, virtually } from '../support/origin.js';

describe('cache', () => {
  describe('writes', () => {
    it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('void what is stored: %s', (method) => {
      const interceptor = httpCache();
      const api = origin(fresh);
      ask(interceptor, api, get(ROWS));
      const { response } = ask(interceptor, api, get(ROWS, { method }));
      expect(response?.cacheStatus).toBe('coldfetch; fwd=method');
      expect(ask(interceptor, api, get(ROWS)).response?.cacheStatus).toMatch(/fwd=uri-miss/);
    });

    it('are never answered from the cache nor stored', () => {
      const interceptor = httpCache({ ttl: 60_000 });
      const api = origin(fresh);
      ask(interceptor, api, get(ROWS, { method: 'POST' }));
      ask(interceptor, api, get(ROWS, { method: 'POST' }));
      ask(interceptor, api, get(ROWS));
      expect(api.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
    });

    it('void the Location and Content-Location of their answer, in their origin', () => {
      const interceptor = httpCache();
      const [made, about, foreign] = ['https://api.example/rows/7', 'https://api.example/about', 'https://other.example/rows'];
      const read = origin(fresh);
      for (const url of [made, about, foreign]) ask(interceptor, read, get(url));
      ask(interceptor, origin({ headers: { location: '/rows/7', 'content-location': about } }), get(ROWS, { method: 'POST' }));
      ask(interceptor, origin({ headers: { location: foreign } }), get(ROWS, { method: 'POST' }));
      const isHit = (url: string): boolean | undefined => ask(interceptor, read, get(url)).response?.cacheStatus?.includes('hit');
      expect([made, about, foreign].map(isHit)).toEqual([false, false, true]);
    });

    it.each([
      ['that the server refused leave it', { status: 409 }, 'hit'],
      ['that failed on the server leave it', { status: 500 }, 'hit'],
      ['whose answer was lost void it', { error: down }, 'fwd=uri-miss'],
    ])('%s', (_, failure, expected) => {
      const interceptor = httpCache();
      ask(interceptor, origin(fresh), get(ROWS));
      ask(interceptor, origin(failure), get(ROWS, { method: 'PUT' }));
      expect(ask(interceptor, origin(fresh), get(ROWS)).response?.cacheStatus).toContain(expected);
    });

    it('that were abandoned after they had been sent void it', () => {
      const interceptor = httpCache();
      ask(interceptor, origin(fresh), get(ROWS));
      interceptor(get(ROWS, { method: 'PUT' }), origin({ silent: true }).handler)
        .subscribe()
        .unsubscribe();
      expect(ask(interceptor, origin(fresh), get(ROWS)).response?.cacheStatus).toContain('fwd=uri-miss');
    });

    it('void what is in flight: it answers those who wait, and is not kept', () => {
      virtually((at) => {
        const interceptor = httpCache();
        const api = origin({ ...fresh, body: 'old', after: 100 }, {}, { ...fresh, body: 'new' });
        const waiting = ask(interceptor, api, get(ROWS));
        at(50, () => ask(interceptor, api, get(ROWS, { method: 'POST' })));
        at(60, () => expect(ask(interceptor, api, get(ROWS)).response?.body).toBe('new'));
        at(200, () => {
          expect(waiting.response?.body).toBe('old');
          expect(ask(interceptor, api, get(ROWS)).response?.body).toBe('new');
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
        const interceptor = httpCache({ store });
        const api = origin({ ...fresh, body: 'old' }, {}, { ...fresh, body: 'new' });
        ask(interceptor, api, get(ROWS));
        at(50, () => ask(interceptor, api, get(ROWS, { method: 'POST' })));
        at(200, () => ask(interceptor, api, get(ROWS)));
        at(400, () => expect(ask(interceptor, api, get(ROWS)).response?.body).toBe('new'));
      });
    });

    it('void what everybody may read, whoever writes', () => {
      const interceptor = httpCache();
      const api = origin(fresh);
      ask(interceptor, api, get(ROWS));
      ask(interceptor, api, get(ROWS, { method: 'POST', headers: { authorization: 'Bearer secret' } }));
      expect(ask(interceptor, api, get(ROWS)).response?.cacheStatus).toMatch(/fwd=uri-miss/);
    });

    it('void all variants', () => {
      virtually((at) => {
        const interceptor = httpCache();
        const api = origin({ headers: { 'cache-control': 'max-age=60', vary: 'accept' } });
        const read = (accept: string): string | undefined =>
          ask(interceptor, api, get(ROWS, { headers: { accept } })).response?.cacheStatus;
        read('a/a');
        read('b/b');
        at(1_000, () => ask(interceptor, api, get(ROWS, { method: 'POST' })));
        at(2_000, () => {
          expect(read('a/a')).toContain('fwd=vary-miss');
          expect(read('b/b')).toContain('fwd=vary-miss');
          expect(read('a/a')).toContain('hit');
        });
      });
    });
  });
});
