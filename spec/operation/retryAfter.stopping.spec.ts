import { of, Subject, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { coldFetch, policies, retryAfter, type RetryEvent, retryReport } from 'coldfetch';
import { marbles, scriptedFetch } from 'coldfetch/testing';
import { failure, tooMany, USERS } from './retryAfter.support.js';

describe('retryAfter', () => {
  describe('has a deadline', () => {
    const quick = { ...policies.upload, deadline: 10_000 };

    it('that ends an attempt in flight with the last failure as cause', () =>
      marbles(({ expect$, flush }) => {
        let error: unknown;
        const fetch = scriptedFetch([tooMany(3), 'hang']);
        const answer$ = coldFetch(USERS, { fetch }).pipe(retryAfter(quick), tap({ error: (thrown: unknown) => (error = thrown) }));
        expect$(answer$).toBeMarbles('10s #', undefined, {
          name: 'DeadlineError',
          message: expect.not.stringMatching(/attempt/) as string,
          cause: expect.objectContaining({ status: 429 }) as unknown,
        });
        expect$(fetch).toHaveRequests('a 2999ms b', { a: {}, b: { abortedAt: 10_000 } });
        flush();
        expect(retryReport(error)).toMatchObject({ reason: 'deadline', attempts: 2, elapsed: 10_000, waited: 3000 });
      }));

    it('that ends a wait before it starts, if the wait does not fit, with the failure itself', () =>
      marbles(({ expect$, flush }) => {
        const events: RetryEvent[] = [];
        const fetch = scriptedFetch([tooMany(3), tooMany(7)]);
        const answer$ = coldFetch(USERS, { fetch }).pipe(retryAfter({ ...quick, notify: (event) => events.push(event) }));
        expect$(answer$).toBeMarbles('3s #', undefined, { status: 429 });
        flush();
        expect(events).toMatchObject([{ type: 'wait' }, { type: 'gave-up', reason: 'deadline', attempt: 2, status: 429 }]);
      }));

    it('that leaves no timer behind an answer', () =>
      marbles(({ expect$, cold }) => {
        expect$(cold('--(a|)').pipe(retryAfter(quick))).toBeMarbles('--(a|)');
        expect$(cold('--#', undefined, failure(404)).pipe(retryAfter(quick))).toBeMarbles('--#', undefined, { status: 404 });
      }));
  });

  describe('can be stopped', () => {
    it('by abort$ in a wait: it completes', () =>
      marbles(({ cold, expect$ }) => {
        const abort$ = cold('2s a');
        const fetch = scriptedFetch([tooMany(9)]);
        expect$(coldFetch(USERS, { fetch }).pipe(retryAfter({ abort$ }))).toBeMarbles('2s |');
        expect$(abort$).toHaveSubscriptions('^ 1999ms !');
      }));

    it('by abort$ that emits at once: nothing is sent', () =>
      marbles(({ expect$ }) => {
        expect$(coldFetch(USERS, { fetch: scriptedFetch([]) }).pipe(retryAfter({ abort$: of(0) }))).toBeMarbles('|');
      }));

    it('not by abort$ that completes', () =>
      marbles(({ cold, expect$ }) => {
        const source$ = coldFetch(USERS, { fetch: scriptedFetch([tooMany(3), 200]), selector: ({ status }) => [status] });
        expect$(source$.pipe(retryAfter({ abort$: cold('1s |') }))).toBeMarbles('3s (a|)', { a: 200 });
      }));

    it('by abort$ that fails, with its error', () =>
      marbles(({ cold, expect$ }) => {
        const source$ = coldFetch(USERS, { fetch: scriptedFetch([tooMany(3)]) });
        expect$(source$.pipe(retryAfter({ abort$: cold('1s #', undefined, new Error('mine')) }))).toBeMarbles(
          '1s #',
          {},
          new Error('mine'),
        );
      }));

    it('by what is subscribed once for the operation, not for each attempt', () =>
      marbles(({ cold, expect$ }) => {
        const abort$ = cold('9s a');
        const fetch = scriptedFetch([tooMany(1), tooMany(1), tooMany(1), 200]);
        const answer$ = coldFetch(USERS, { fetch, abort$, selector: ({ status }) => [status] });
        const once$ = cold('9s a');
        const other = coldFetch(USERS, { fetch: scriptedFetch([tooMany(1), 200]), selector: ({ status }) => [status] });
        expect$(other.pipe(retryAfter({ abort$: once$ }))).toBeMarbles('1s (a|)', { a: 200 });
        expect$(once$).toHaveSubscriptions('^ 999ms !');
        expect$(answer$.pipe(retryAfter())).toBeMarbles('3s (a|)', { a: 200 });
      }));

    const reasons = [
      ['an error', new Error('stop')],
      ['what looks like a 503', failure(503)],
      ['what looks like a timeout', new DOMException('late', 'TimeoutError')],
      ['what looks like a lost connection', new TypeError('fetch failed')],
      ['a string', 'enough'],
    ] as const;

    it.each(reasons)('by a signal given to coldFetch only, in the wait, with its very reason: %s', (_, reason) =>
      marbles(({ expect$, flush }) => {
        const controller = new AbortController();
        const events: RetryEvent[] = [];
        timer(2000).subscribe(() => controller.abort(reason));
        const fetch = scriptedFetch([tooMany(9)]);
        const answer$ = coldFetch(USERS, { fetch, signal: controller.signal }).pipe(retryAfter({ notify: (event) => events.push(event) }));
        expect$(answer$).toBeMarbles('2s #', undefined, expect.toSatisfy((error: unknown) => error === reason) as Error);
        flush();
        expect(events.map(({ type }) => type)).toEqual(['wait']);
        expect(retryReport(reason)).toBeUndefined();
      }),
    );

    it.each(reasons)('by a signal in an attempt, whose reason is not retried: %s', (_, reason) =>
      marbles(({ expect$, flush }) => {
        const controller = new AbortController();
        const events: RetryEvent[] = [];
        timer(2000).subscribe(() => controller.abort(reason));
        const fetch = scriptedFetch(['hang']);
        const answer$ = coldFetch(USERS, { fetch, signal: controller.signal }).pipe(retryAfter({ notify: (event) => events.push(event) }));
        expect$(answer$).toBeMarbles('2s #', undefined, expect.toSatisfy((error: unknown) => error === reason) as Error);
        flush();
        expect(events).toEqual([]);
      }),
    );

    it('by a signal of its own, also over a source that does not know it', () =>
      marbles(({ cold, expect$ }) => {
        const controller = new AbortController();
        const reason = failure(503);
        timer(2000).subscribe(() => controller.abort(reason));
        expect$(cold('-----#', undefined, failure(503)).pipe(retryAfter({ ...policies.upload, signal: controller.signal }))).toBeMarbles(
          '2s #',
          undefined,
          reason,
        );
      }));

    it('by unsubscribing in a wait, which sends nothing any more', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([tooMany(3), 200]);
        expect$(coldFetch(USERS, { fetch }).pipe(retryAfter()), '^ 2s !').toBeMarbles('');
        expect$(fetch).toHaveRequests('a');
      }));

    it('by unsubscribing while it tells of a wait', () =>
      marbles(({ expect$ }) => {
        const stop$ = new Subject<void>();
        const fetch = scriptedFetch([tooMany(3), 200]);
        expect$(coldFetch(USERS, { fetch, abort$: stop$ }).pipe(retryAfter({ abort$: stop$, notify: () => stop$.next() }))).toBeMarbles(
          '|',
        );
        expect$(fetch).toHaveRequests('a');
      }));
  });
});
