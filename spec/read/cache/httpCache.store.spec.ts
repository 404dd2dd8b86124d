import { EMPTY, NEVER, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { httpCache } from '../../../src/read/cache/httpCache.js';
import type { CacheEntry, CacheStore } from '../../../src/read/cache/CacheStore.js';
import { memoryCache } from '../../../src/read/cache/memoryCache.js';
import { ask, fresh, get, origin, ROWS, virtually } from '../support/origin.js';

describe('cache', () => {
  describe('a store', () => {
    const failing: CacheStore = {
      get: () => throwError(() => new Error('disk')),
      set: () => Promise.reject(new Error('disk')),
      delete: () => {
        throw new Error('disk');
      },
    };

    it('that fails costs a request, never an answer, and the answer tells', async () => {
      const interceptor = httpCache({ store: failing });
      const api = origin(fresh);
      const heard = ask(interceptor, api, get(ROWS));
      await expect.poll(() => heard.response?.cacheStatus).toBe('coldfetch; fwd=uri-miss; detail=store-failed');
      expect(ask(interceptor, api, get(ROWS, { method: 'POST' })).response).toBeDefined();
    });

    it('may take its time: an answer is passed on when it is kept', async () => {
      const entries = new Map<string, CacheEntry>();
      const slow: CacheStore = {
        get: (key) => Promise.resolve(entries.get(key)),
        set: (key, entry) => Promise.resolve().then(() => entries.set(key, entry).size > 0),
        delete: (key) => Promise.resolve(entries.delete(key)),
      };
      const interceptor = httpCache({ store: slow });
      const api = origin(fresh);
      const statuses: (string | undefined)[] = [];
      for (let i = 0; i < 2; i++) {
        await new Promise<void>((resolve) => {
          interceptor(get(ROWS), api.handler).subscribe({
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
      const interceptor = httpCache({ store: { get: () => EMPTY, set: () => EMPTY, delete: () => EMPTY } });
      expect(ask(interceptor, origin(fresh), get(ROWS)).response?.body).toBe('body');
      expect(ask(interceptor, origin(fresh), get(ROWS, { method: 'POST' })).response?.body).toBe('body');
    });

    it.each<[string, Partial<CacheStore>, number]>([
      ['never finds', { get: () => NEVER }, 1_000],
      ['never stores', { set: () => new Promise(() => undefined) }, 1_000],
      ['never does either', { get: () => NEVER, set: () => NEVER }, 1_000],
    ])('that %s holds no request for longer than its timeout', (_case, part, held) => {
      virtually((at) => {
        const interceptor = httpCache({ store: { get: () => undefined, set: () => true, delete: () => true, ...part } });
        const heard = ask(interceptor, origin(fresh), get(ROWS));
        at(held - 1, () => expect(heard.completed).toBe(false));
        at(held + 1, () => expect(heard).toMatchObject({ completed: true, response: { body: 'body' } }));
        at(held + 1, () => expect(heard.response?.cacheStatus).toContain('; detail=store-failed'));
      });
    });

    it('that never forgets holds no write for longer than storeTimeout', () => {
      virtually((at) => {
        const interceptor = httpCache({ store: { get: () => undefined, set: () => true, delete: () => NEVER }, storeTimeout: 50 });
        const heard = ask(interceptor, origin(fresh), get(ROWS, { method: 'POST' }));
        at(51, () => expect(heard).toMatchObject({ completed: true, response: { body: 'body' } }));
      });
    });

    it('that never replies is left alone for 30 s, then asked once', () => {
      virtually((at) => {
        const asked = { get: 0, delete: 0 };
        const count = (name: keyof typeof asked) => () => {
          asked[name]++;
          return NEVER;
        };
        const interceptor = httpCache({ store: { get: count('get'), set: () => NEVER, delete: count('delete') } });
        const answered = (method = 'GET'): boolean => ask(interceptor, origin(fresh), get(ROWS, { method })).completed;
        answered();
        at(1_001, () =>
          expect([answered(), answered('POST'), answered('DELETE'), asked]).toEqual([true, true, true, { get: 1, delete: 4 }]),
        );
        at(32_100, () => expect([answered(), answered(), asked.get]).toEqual([false, true, 2]));
        at(33_200, () => expect([answered(), asked.get]).toEqual([true, 2]));
      });
    });

    it('that replies again is used at once', () => {
      virtually((at) => {
        const kept = memoryCache();
        let silent = true;
        const store: CacheStore = { ...kept, get: (key) => (silent ? NEVER : kept.get(key)) };
        const interceptor = httpCache({ store });
        const asking = (): ReturnType<typeof ask> => ask(interceptor, origin(fresh), get(ROWS));
        asking();
        at(2_000, () => expect(asking().response?.cacheStatus).toContain('store-failed'));
        at(40_000, () => {
          silent = false;
          expect([asking(), asking()].map(({ response }) => response?.cacheStatus)).toEqual([
            'coldfetch; fwd=uri-miss; stored',
            expect.stringContaining('; hit;'),
          ]);
        });
      });
    });

    it('that is never done does not outlive its subscriber', () => {
      const interceptor = httpCache({ store: { get: () => NEVER, set: () => EMPTY, delete: () => EMPTY } });
      const api = origin(fresh);
      interceptor(get(ROWS), api.handler).subscribe().unsubscribe();
      expect(api.requests).toHaveLength(0);
    });
  });
});
