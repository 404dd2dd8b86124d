import { defer, of, tap, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { coldFetch, policies, retryAfter, type RetryEvent, retryReport } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { failure, throwNow, USERS } from './retryAfter.support.js';

describe('retryAfter', () => {
  describe('lets go of a discarded response before the wait', () => {
    it.each([
      ['one without a body', {}],
      ['a body', { body: 'busy' }],
      ['a body that never ends', { chunks: 'a' }],
    ])('%s', (_, init) =>
      marbles(({ expect$ }) => {
        const busy = reply(503, { headers: { 'retry-after': '2' }, ...init });
        let sent = 0;
        const fetch = () => of(sent++ === 0 ? busy : reply(200));
        const answer$ = coldFetch(USERS, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter());
        expect$(answer$).toBeMarbles('2s (a|)', { a: 200 });
        timer(1).subscribe(() => expect(busy.cancelledAt).toBe(busy.body ? 0 : undefined));
      }),
    );

    it('a locked one, and one whose cancel fails, without a word', () =>
      marbles(({ expect$ }) => {
        const locked = reply(503, { headers: { 'retry-after': '2' }, body: 'busy' });
        locked.body?.getReader();
        const failing = Object.assign(failure(503, { 'retry-after': '2' }), {
          body: { cancel: () => throwNow(new Error('cannot cancel')) },
        });
        for (const error of [locked, failing]) {
          let sent = 0;
          const source$ = defer(() => (sent++ === 0 ? throwError(() => error) : of('a')));
          expect$(source$.pipe(retryAfter())).toBeMarbles('2s (a|)');
        }
      }));
  });

  describe('gives up', () => {
    it('with the last error itself, its response readable', () =>
      marbles(({ expect$, flush }) => {
        const last = reply(503, { body: 'sorry' });
        const errors: unknown[] = [];
        let sent = 0;
        const source$ = coldFetch(USERS, { fetch: () => of(sent++ < 3 ? reply(503) : last) }).pipe(
          tap({ error: (error: unknown) => errors.push(error) }),
        );
        const retrying$ = source$.pipe(retryAfter(policies.upload));
        expect$(retrying$).toBeMarbles('7s #', undefined, expect.toSatisfy((error) => error === errors.at(-1)) as Error);
        flush();
        expect(last.bodyUsed).toBe(false);
        expect(retryReport(errors.at(-1))).toEqual({
          attempts: 4,
          elapsed: 7000,
          reason: 'exhausted',
          retries: { transient: 3 },
          waited: 7000,
        });
        expect(retryReport(last)?.reason).toBe('exhausted');
      }));

    it('and tells so before the error', () =>
      marbles(({ expect$, flush }) => {
        const log: string[] = [];
        const source$ = coldFetch(USERS, { fetch: scriptedFetch([404]) }).pipe(
          retryAfter({ notify: { next: ({ type }) => log.push(type) } }),
          tap({ error: () => log.push('error') }),
        );
        expect$(source$).toFailWith({ status: 404 });
        flush();
        expect(log).toEqual(['gave-up', 'error']);
      }));

    it('on primitives without a report, but with an event', () =>
      marbles(({ cold, expect$, flush }) => {
        const events: RetryEvent[] = [];
        expect$(cold('#', undefined, 'oops').pipe(retryAfter({ notify: (event) => events.push(event) }))).toBeMarbles(
          '#',
          undefined,
          'oops',
        );
        flush();
        expect(events).toMatchObject([{ type: 'gave-up', reason: 'terminal', error: 'oops' }]);
        expect(retryReport('oops')).toBeUndefined();
      }));

    it('never in silence', () =>
      marbles(({ cold, expect$ }) => {
        const none = { ...policies.standard.rules.throttled, retries: 0, matches: () => true };
        expect$(cold('-#', undefined, failure(429)).pipe(retryAfter({ rules: { none } }))).toFailWith({ status: 429 });
        expect$(cold('-#', undefined, failure(429)).pipe(retryAfter({ rules: {} }))).toFailWith({ status: 429 });
      }));
  });
});
