import { defer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { httpCache } from '../../../src/read/cache/httpCache.js';
import { CREDENTIAL_FIELDS } from '../../../src/request/credentialFields.js';
import { memoryCache } from '../../../src/read/cache/memoryCache.js';
import type { Handler } from '../../../src/request/Handler.js';
import { ON_SEND } from '../../../src/request/tokens.js';
import { ask, fresh, get, hear, type Heard, origin, type Reply, ROWS, virtually } from '../support/origin.js';

describe('cache', () => {
  describe('keeps people apart', () => {
    const personal = { headers: { 'cache-control': 'private, max-age=60' } };
    const as = (who: string) => get(ROWS, { headers: { authorization: `Bearer ${who}` } });

    it.each(CREDENTIAL_FIELDS)('by %s, whatever the server says', (name) => {
      const interceptor = httpCache();
      const api = origin({ ...fresh, body: 'for ada' }, { ...fresh, body: 'for bob' });
      const read = (who: string): unknown => ask(interceptor, api, get(ROWS, { headers: { [name]: who } })).response?.body;
      expect([read('ada'), read('bob'), read('ada')]).toEqual(['for ada', 'for bob', 'for ada']);
    });

    it('in a shared cache, by keeping nothing that is private or was authorized', () => {
      for (const [reply, request] of [
        [personal, get(ROWS)],
        [fresh, as('ada')],
      ] as const) {
        const interceptor = httpCache({ shared: true });
        const api = origin(reply);
        ask(interceptor, api, request);
        ask(interceptor, api, request);
        expect(api.requests).toHaveLength(2);
      }
    });

    it('in a shared cache, unless the answer says that it is public', () => {
      const interceptor = httpCache({ shared: true });
      const api = origin({ headers: { 'cache-control': 'public, max-age=60' } });
      ask(interceptor, api, as('ada'));
      expect(ask(interceptor, api, as('bob')).response?.cacheStatus).toContain('hit');
    });

    describe('that attempt interceptors sign in', () => {
      /** Reads as somebody, through one client for all of them. */
      const readers = (reply: Reply): ((who: string) => Heard) => {
        const interceptor = httpCache({ ttl: 60_000 });
        return (who) => {
          const signed: Handler = (request) => {
            const headers = new Headers({ ...Object.fromEntries(request.headers), authorization: who });
            return defer(() => {
              request.context.get(ON_SEND)?.(headers);
              return origin({ body: who, ...reply }).handler(request);
            });
          };
          return hear(interceptor(get(ROWS), signed));
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
      const interceptor = httpCache({ store: { ...store, set: (key, entry) => (keys.push(key), store.set(key, entry)) } });
      ask(interceptor, origin({ headers: { 'cache-control': 'max-age=60', vary: 'authorization' } }), as('secret'));
      expect(keys).toHaveLength(2);
      expect(keys.join()).not.toContain('secret');
    });
  });
});
