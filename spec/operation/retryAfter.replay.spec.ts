import { concat, defer, NEVER, type Observable, of, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { coldFetch, policies, retryAfter, retryReport } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { failure, USERS } from './retryAfter.support.js';

describe('retryAfter', () => {
  describe('does not repeat output', () => {
    it('in silence: a failure behind it is final', () =>
      marbles(({ cold, expect$, flush }) => {
        const error = failure(503);
        expect$(cold('a-b-#', undefined, error).pipe(retryAfter())).toBeMarbles('a-b-#', undefined, error);
        flush();
        expect(retryReport(error)).toMatchObject({ reason: 'partial-output', attempts: 1 });
      }));

    it('but goes on by resume behind the last value', () =>
      marbles(({ cold, expect$ }) => {
        const source$ = cold('1-2-#', undefined, failure(503, { 'retry-after': '1' }));
        const resume = (last: string): Observable<string> => concat(of(String(Number(last) + 1)), of('9'));
        expect$(source$.pipe(retryAfter({ resume }))).toBeMarbles('1-2- 1s (ab|)', { 1: '1', 2: '2', a: '3', b: '9' });
      }));

    it('and does not take progress for it', () =>
      marbles(({ cold, expect$ }) => {
        const sources = [cold('p-#', undefined, failure(503, { 'retry-after': '1' })), cold('p-(a|)')];
        const source$ = defer(() => sources.shift() ?? NEVER);
        expect$(source$.pipe(retryAfter({ isProgress: (value) => value === 'p' }))).toBeMarbles('p- 1s p-(a|)');
      }));
  });

  describe('replays', () => {
    const once = { ...policies.api, notify: () => undefined };
    const posting = (init: object = {}, fetch = scriptedFetch([reply(503, { headers: { 'retry-after': '1' } }), 200])) =>
      coldFetch(USERS, { fetch, method: 'POST', selector: ({ status }) => [status], ...init });

    it('no POST by a rule for idempotent requests', () =>
      marbles(({ expect$, flush }) => {
        let error: unknown;
        expect$(posting().pipe(retryAfter(once), tap({ error: (thrown: unknown) => (error = thrown) }))).toFailWith({ status: 503 });
        flush();
        expect(retryReport(error)?.reason).toBe('not-replayable');
      }));

    it('a POST that carries an idempotency key', () =>
      marbles(({ expect$ }) => {
        expect$(posting({ headers: { 'Idempotency-Key': '"a"' } }).pipe(retryAfter(once))).toBeMarbles('1s (a|)', { a: 200 });
      }));

    it('what the caller says of the request, where the error does not tell', () =>
      marbles(({ cold, expect$ }) => {
        const request = { method: 'POST', headers: new Headers() };
        expect$(cold('#', undefined, failure(503)).pipe(retryAfter({ request }))).toBeMarbles('#', undefined, { status: 503 });
      }));

    it('nothing whose body could be sent once, whatever the rule', () =>
      marbles(({ expect$, flush }) => {
        let error: unknown;
        const body = new ReadableStream<Uint8Array>();
        const answer$ = posting({ body }).pipe(retryAfter(policies.upload), tap({ error: (thrown: unknown) => (error = thrown) }));
        expect$(answer$).toFailWith({ status: 503 });
        flush();
        expect(retryReport(error)).toMatchObject({ reason: 'not-replayable', attempts: 1 });
      }));

    it('bodies that a function makes anew', () =>
      marbles(({ expect$, flush }) => {
        let made = 0;
        const fetch = scriptedFetch([503, 503, 200]);
        const answer$ = posting({ body: () => `body ${++made}` }, fetch).pipe(retryAfter(policies.upload));
        expect$(answer$).toBeMarbles('3s (a|)', { a: 200 });
        flush();
        expect(fetch.requests.map(({ body }) => body)).toEqual(['body 1', 'body 2', 'body 3']);
      }));
  });
});
