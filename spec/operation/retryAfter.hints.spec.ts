import { type Observable, of, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { coldFetch, policies, retryAfter, type RetryEvent, retryReport } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { tooMany, USERS } from './retryAfter.support.js';

describe('retryAfter', () => {
  describe('reads hints', () => {
    const after = (value: string, policy = policies.standard): Observable<number> =>
      coldFetch(USERS, { fetch: scriptedFetch([tooMany(value), 200]), selector: ({ status }) => [status] }).pipe(
        retryAfter({ ...policy, random: () => 0.5 }),
      );

    it('as a date, against the clock', () =>
      marbles(({ date, expect$ }) => {
        expect$(after(date('30s'))).toBeMarbles('30s (a|)', { a: 200 });
      }));

    it('as a date, against the response’s own Date where it has one', () =>
      marbles(({ date, expect$ }) => {
        const skewed = reply(429, { headers: { date: date('1000s'), 'retry-after': date('1007s') } });
        const answer$ = coldFetch(USERS, { fetch: scriptedFetch([skewed, 200]), selector: ({ status }) => [status] }).pipe(retryAfter());
        expect$(answer$).toBeMarbles('7s (a|)', { a: 200 });
      }));

    it('the largest of a field that came twice', () =>
      marbles(({ expect$ }) => {
        expect$(after('3, 5')).toBeMarbles('5s (a|)', { a: 200 });
      }));

    it('of which nonsense counts as missing', () =>
      marbles(({ expect$ }) => {
        for (const value of ['-5', '1.5', 'soon', '', '3, soon', 'NaN', 'Infinity'])
          expect$(after(value)).toBeMarbles('500ms (a|)', { a: 200 });
      }));

    it('capped, and says so', () =>
      marbles(({ expect$ }) => {
        const events: RetryEvent[] = [];
        const fetch = scriptedFetch([tooMany(9_999_999_999), 200]);
        const answer$ = coldFetch(USERS, { fetch, selector: ({ status }) => [status] }).pipe(
          retryAfter({ notify: (event) => events.push(event) }),
          tap(() => expect(events).toMatchObject([{ type: 'wait', delay: 60_000, capped: true, source: 'retryAfter' }])),
        );
        expect$(answer$).toBeMarbles('1m (a|)', { a: 200 });
      }));

    it('of zero once, then ignores them', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([tooMany(0), tooMany(0), tooMany(0), 200]);
        const answer$ = coldFetch(USERS, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter(policies.upload));
        expect$(answer$).toBeMarbles('6s (a|)', { a: 200 });
        expect$(fetch).toHaveRequests('(aa) 1996ms a 3999ms a');
      }));

    it('of a date that has passed as zero', () =>
      marbles(({ date, expect$ }) => {
        const fetch = scriptedFetch('5s a b c', { a: tooMany(date('1s')), b: tooMany(date('1s')), c: 200 });
        const answer$ = coldFetch(USERS, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter({ random: () => 0.5 }));
        expect$(answer$).toBeMarbles('6s (a|)', { a: 200 });
      }));

    it('above maxHint as the end', () =>
      marbles(({ expect$, flush }) => {
        let error: unknown;
        const answer$ = coldFetch(USERS, { fetch: scriptedFetch([tooMany(31)]) }).pipe(
          retryAfter({ ...policies.patient, maxHint: 30_000 }),
          tap({ error: (thrown: unknown) => (error = thrown) }),
        );
        expect$(answer$).toBeMarbles('#', undefined, { status: 429 });
        flush();
        expect(retryReport(error)).toMatchObject({ reason: 'max-hint', attempts: 1 });
      }));
  });

  describe('with a minimum', () => {
    it('adds a spread of a tenth of the hint, at most 3 s, and a fresh draw each time', () =>
      marbles(({ expect$ }) => {
        const draws = [0.25, 0.5, 0, 0.75];
        const fetch = scriptedFetch([tooMany(20), tooMany(100), 200]);
        const random = (): number => draws.shift() ?? Number.NaN;
        const answer$ = coldFetch(USERS, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter({ ...policies.patient, random }));
        // 20 s + 0.5 x 2 s, then 100 s + 0.75 x 3 s.
        expect$(answer$).toBeMarbles('123250ms (a|)', { a: 200 });
        expect$(fetch).toHaveRequests('a 20999ms a 102249ms a');
      }));

    it('trims the spread to the deadline', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([tooMany(14), 200]);
        const answer$ = coldFetch(USERS, { fetch, selector: ({ status }) => [status] }).pipe(
          retryAfter({ ...policies.interactive, random: () => 0.999 }),
        );
        expect$(answer$).toBeMarbles('14999ms (a|)', { a: 200 });
      }));

    it('is never cut by the spread: what does not fit ends at once, its response readable', () =>
      marbles(({ expect$ }) => {
        const response = reply(429, { headers: { 'retry-after': '15' }, body: 'slow down' });
        const retrying$ = coldFetch(USERS, { fetch: () => of(response) }).pipe(retryAfter(policies.interactive));
        expect$(retrying$).toBeMarbles('#', undefined, { status: 429, response });
        timer(1).subscribe(() => expect([response.bodyUsed, response.cancelledAt]).toEqual([false, undefined]));
      }));
  });
});
