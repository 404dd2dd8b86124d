import { of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { httpCache } from '../../../src/read/cache/httpCache.js';
import { HttpContext } from '../../../src/request/HttpContext.js';
import { REQUEST_ID } from '../../../src/request/tokens.js';
import { ask, down, fresh, get, hear, origin, ROWS, virtually } from '../support/origin.js';

describe('cache', () => {
  describe('one request in flight', () => {
    it('serves all who want the same, each in their own form', () => {
      virtually((at) => {
        const interceptor = httpCache();
        const api = origin({ after: 100, body: '{"n":1}' });
        const first = ask(interceptor, api, get(ROWS));
        at(50, () => {
          const second = ask(interceptor, api, get(ROWS, { responseType: 'json' }));
          // Late subscribers get the events so far.
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
      const interceptor = httpCache();
      const api = origin({ silent: true });
      const subscriptions = [1, 2, 3].map(() => interceptor(get(ROWS), api.handler).subscribe());
      subscriptions[0]?.unsubscribe();
      subscriptions[2]?.unsubscribe();
      expect(api.aborted).toBe(0);
      subscriptions[1]?.unsubscribe();
      expect(api).toMatchObject({ aborted: 1 });
      expect(api.requests).toHaveLength(1);
      interceptor(get(ROWS), api.handler).subscribe().unsubscribe();
      expect(api.requests).toHaveLength(2);
    });

    it('fails for all of them', () => {
      virtually((at) => {
        const interceptor = httpCache();
        const api = origin({ after: 100, error: down }, fresh);
        const heard = [1, 2].map(() => ask(interceptor, api, get(ROWS)));
        at(101, () => {
          expect(heard.map(({ error }) => error)).toEqual([down, down]);
          expect(ask(interceptor, api, get(ROWS)).response).toBeDefined();
        });
      });
    });

    it("goes on for the others when one's own signal aborts", () => {
      virtually((at) => {
        const interceptor = httpCache();
        const api = origin({ after: 100 });
        const controller = new AbortController();
        const reason = new Error('changed my mind');
        const first = ask(interceptor, api, get(ROWS, { signal: controller.signal }));
        const second = ask(interceptor, api, get(ROWS));
        controller.abort(reason);
        expect(first.error).toBe(reason);
        at(101, () => expect(second.response).toBeDefined());
      });
    });

    it('ends without an answer when abort$ emits', () => {
      const api = origin({ silent: true });
      const abort$ = new Subject<void>();
      const heard = ask(httpCache(), api, get(ROWS, { abort$ }));
      abort$.next();
      expect({ completed: heard.completed, aborted: api.aborted }).toEqual({ completed: true, aborted: 1 });
      expect(ask(httpCache(), api, get(ROWS, { abort$: of(1) })).completed).toBe(true);
      expect(api.requests).toHaveLength(1);
    });

    it('is not shared by requests that differ in a header field, but for their ids', () => {
      const interceptor = httpCache();
      const api = origin({ silent: true });
      const withId = (id: string): void => {
        hear(interceptor(get(ROWS, { headers: { 'x-id': id }, context: HttpContext.of(REQUEST_ID, id) }), api.handler));
      };
      withId('1');
      withId('2');
      expect(api.requests).toHaveLength(1);
      ask(interceptor, api, get(ROWS, { headers: { accept: 'text/csv' } }));
      expect(api.requests).toHaveLength(2);
    });
  });
});
