import { config, map, mergeMap, of, throwError, timer } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Classify, coldFetch, policies, retryAfter, type RetryEvent, retryReport, UsageError } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { failure, throwNow, tooMany, USERS } from './retryAfter.support.js';

describe('retryAfter', () => {
  describe('has hooks', () => {
    const mine = new Error('of the hook');
    const rule = policies.standard.rules.throttled as never;
    const only = (changes: object): object => ({ rules: { only: Object.assign({}, rule, changes) } });
    afterEach(() => {
      config.onUnhandledError = null;
    });

    it('of which notify changes nothing by throwing: that is an unhandled error', () =>
      marbles(({ expect$, flush }) => {
        const unhandled: unknown[] = [];
        config.onUnhandledError = (error) => unhandled.push(error);
        const fetch = scriptedFetch([tooMany(1), 200]);
        const answer$ = coldFetch(USERS, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter({ notify: () => throwNow(mine) }));
        expect$(answer$).toBeMarbles('1s (a|)', { a: 200 });
        flush();
        expect(unhandled).toEqual([mine]);
      }));

    it.each([
      ['matches', only({ matches: () => throwNow(mine) })],
      ['backoff', only({ backoff: () => throwNow(mine) })],
      ['a delay source', only({ sources: { mine: () => throwNow(mine) } })],
      ['classify', { classify: () => throwNow(mine) }],
      ['classify, later', { classify: () => throwError(() => mine) }],
    ])('of which %s ends the operation by throwing, the original kept in the report', (_, policy) =>
      marbles(({ cold, expect$, flush }) => {
        const original = failure(429);
        const events: RetryEvent[] = [];
        const retrying$ = cold('-#', undefined, original).pipe(retryAfter({ ...policy, notify: (event) => events.push(event) }));
        expect$(retrying$).toBeMarbles('-#', undefined, expect.toSatisfy((error) => error === mine) as Error);
        flush();
        expect(retryReport(mine)).toMatchObject({ reason: 'hook-failed', attempts: 1 });
        expect(retryReport(mine)?.cause).toBe(original);
        expect(events).toMatchObject([{ type: 'gave-up', reason: 'hook-failed', error: mine }]);
      }),
    );

    it('of which isProgress ends the operation by throwing', () =>
      marbles(({ cold, expect$, flush }) => {
        const retrying$ = cold('-a', { a: 1 }).pipe(retryAfter<number>({ isProgress: () => throwNow(mine) }));
        expect$(retrying$).toBeMarbles('-#', undefined, expect.toSatisfy((error) => error === mine) as Error);
        flush();
        expect(retryReport(mine)).toMatchObject({ reason: 'hook-failed', attempts: 1 });
      }));

    it('of which a backoff that returns nonsense ends the operation', () =>
      marbles(({ cold, expect$ }) => {
        for (const nonsense of [Number.NaN, -1, Infinity, '5']) {
          const backoff = ({ index }: { index: number }): unknown => (index === 0 ? 1 : nonsense);
          expect$(cold('#', undefined, failure(429)).pipe(retryAfter(only({ backoff })))).toBeMarbles('-#', undefined, UsageError);
        }
      }));

    it('of which classify may look at the body, which stays readable', () =>
      marbles(({ expect$, flush }) => {
        const response = reply(429, { json: { error: { code: 'insufficient_quota' } } });
        const peeked: string[] = [];
        const answer$ = coldFetch(USERS, { fetch: () => of(response) }).pipe(
          retryAfter({
            classify: (_, peek) => peek().pipe(mergeMap((text) => (peeked.push(text), ['terminal' as const]))),
          }),
        );
        expect$(answer$).toBeMarbles('#', undefined, { status: 429 });
        flush();
        expect(peeked).toEqual(['{"error":{"code":"insufficient_quota"}}']);
        expect(response.bodyUsed).toBe(false);
      }));

    it.each<[string, unknown]>([
      ['null', () => null],
      ['an observable of null', () => of(null)],
    ])('of which classify that answers %s leaves the rules to decide', (_, classify) =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([tooMany(3), 200]);
        const asked = retryAfter<number>({ classify: classify as Classify });
        expect$(coldFetch(USERS, { fetch, selector: ({ status }) => of(status) }).pipe(asked)).toBeMarbles('3s (a|)', { a: 200 });
      }),
    );

    it('of which the look of classify is a part of the wait, not on top of it', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([tooMany(3), tooMany(0), 200]);
        const slowly = retryAfter<number>({ classify: () => timer(1000).pipe(map(() => undefined)) });
        expect$(coldFetch(USERS, { fetch, selector: ({ status }) => of(status) }).pipe(slowly)).toBeMarbles('4s (a|)', { a: 200 });
      }));

    it('of which classify gets 1 s for a body that does not end', () =>
      marbles(({ expect$ }) => {
        const response = reply(429, { chunks: 'ab' });
        const answer$ = coldFetch(USERS, { fetch: () => of(response) }).pipe(
          retryAfter({ classify: (_, peek) => peek().pipe(mergeMap((text) => (text === 'ab' ? ['terminal' as const] : [undefined]))) }),
        );
        expect$(answer$).toBeMarbles('1s #', undefined, { status: 429 });
      }));
  });
});
