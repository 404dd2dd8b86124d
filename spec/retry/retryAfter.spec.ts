import { concat, config, defer, map, mergeMap, NEVER, type Observable, of, Subject, tap, throwError, timer } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Classify,
  coldFetch,
  exponential,
  policies,
  retryAfter,
  type RetryEvent,
  retryReport,
  UsageError,
  type WaitEvent,
} from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { elapsed } from '../../src/time.js';
import { errorOf } from '../support/errorOf.js';

const URL = 'https://api.test/users';
const tooMany = (after: string | number): Response => reply(429, { headers: { 'retry-after': String(after) } });

/** An error as foreign clients make them: a status and header fields. */
function failure(status: number, headers: Readonly<Record<string, string>> = {}): Error {
  return Object.assign(new Error(`${status}`), { status, headers: new Headers(headers) });
}

describe('retryAfter', () => {
  it('waits for Retry-After, then subscribes again', () =>
    marbles(({ cold, expect$ }) => {
      const busy = cold('   5ms #', undefined, failure(429, { 'retry-after': '3' }));
      const answer = cold(' 5ms (a|)');
      const sources = [busy, answer];
      const source$ = defer(() => sources.shift() ?? NEVER);
      expect$(source$.pipe(retryAfter())).toBeMarbles('5ms 3s 5ms (a|)');
      expect$(busy).toHaveSubscriptions('              ^ 4ms !');
      expect$(answer).toHaveSubscriptions('            3005ms ^ 4ms !');
    }));

  it('lets values, completion and what no rule takes through', () =>
    marbles(({ cold, expect$ }) => {
      const error = new Error('of the program');
      expect$(cold('a-b-|').pipe(retryAfter())).toBeMarbles('a-b-|');
      expect$(cold('--#', undefined, error).pipe(retryAfter())).toBeMarbles('--#', undefined, error);
    }));

  describe('counts apart', () => {
    const answers = (statuses: readonly number[]): Response[] =>
      statuses.map((status) => reply(status, { headers: { 'retry-after': '1' } }));

    it('gives two subscribers of one pipeline five 429 retries and three 5xx retries each', () =>
      marbles(({ expect$ }) => {
        // Every wait is one second, so the second of the clock tells which answer is due, to either subscriber.
        const due = answers([429, 503, 429, 503, 429, 503, 429, 429, 200]);
        const fetch = (): Observable<Response> => of(due[Math.floor(elapsed() / 1000)] ?? reply(404));
        const pipeline$ = coldFetch(URL, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter());
        expect$(pipeline$).toBeMarbles('             8s (a|)', { a: 200 });
        expect$(pipeline$, '500ms ^').toBeMarbles('8500ms (a|)', { a: 200 });
      }));

    it('gives neither of them a sixth or a fourth', () =>
      marbles(({ expect$ }) => {
        const pipeline = (status: number): Observable<Response> =>
          coldFetch(URL, { fetch: () => of(...answers([status])) }).pipe(retryAfter());
        const [throttled$, failing$] = [pipeline(429), pipeline(503)];
        expect$(throttled$).toBeMarbles('             5s #', undefined, { status: 429 });
        expect$(throttled$, '500ms ^').toBeMarbles('5500ms #', undefined, { status: 429 });
        expect$(failing$).toBeMarbles('              3s #', undefined, { status: 503 });
        expect$(failing$, '500ms ^').toBeMarbles(' 3500ms #', undefined, { status: 503 });
      }));

    it('neither uses up nor resets the other counter', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch(answers([429, 429, 503, 429, 429, 503, 503, 429, 429]));
        expect$(coldFetch(URL, { fetch }).pipe(retryAfter())).toBeMarbles('8s #', undefined, { status: 429 });
      }));

    it('starts again at each subscription', () =>
      marbles(({ expect$ }) => {
        const six = [429, 429, 429, 429, 429, 429];
        const source$ = coldFetch(URL, { fetch: scriptedFetch(answers([...six, ...six])) }).pipe(retryAfter());
        expect$(source$).toBeMarbles('5s #', undefined, { status: 429 });
        expect$(source$, '20s ^').toBeMarbles('25s #', undefined, { status: 429 });
      }));

    it('goes on counting behind values that are progress', () =>
      marbles(({ cold, expect$ }) => {
        const attempt$ = cold('p#', undefined, failure(503));
        const retrying$ = attempt$.pipe(retryAfter({ ...policies.upload, isProgress: (value) => value === 'p' }));
        expect$(retrying$).toBeMarbles('p 1s p 2s p 4s p#', undefined, { status: 503 });
      }));
  });

  describe('takes its index for the backoff from the rule alone', () => {
    it('whatever the waits before were', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([503, tooMany(9), 503, 429, 200]);
        // 503: 1 s. 429: 9 s as asked. 503: the second, 2 s. 429: the second of its rule, 2 s.
        expect$(coldFetch(URL, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter(policies.upload))).toBeMarbles('14s (a|)', {
          a: 200,
        });
        expect$(fetch).toHaveRequests('a 999ms a 8999ms a 1999ms a 1999ms a');
      }));
  });

  describe('reads hints', () => {
    const after = (value: string, policy = policies.standard): Observable<number> =>
      coldFetch(URL, { fetch: scriptedFetch([tooMany(value), 200]), selector: ({ status }) => [status] }).pipe(
        retryAfter({ ...policy, random: () => 0.5 }),
      );

    it('as a date, against the clock', () =>
      marbles(({ date, expect$ }) => {
        expect$(after(date('30s'))).toBeMarbles('30s (a|)', { a: 200 });
      }));

    it('as a date, against the response’s own Date where it has one', () =>
      marbles(({ date, expect$ }) => {
        const skewed = reply(429, { headers: { date: date('1000s'), 'retry-after': date('1007s') } });
        const answer$ = coldFetch(URL, { fetch: scriptedFetch([skewed, 200]), selector: ({ status }) => [status] }).pipe(retryAfter());
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
        const answer$ = coldFetch(URL, { fetch, selector: ({ status }) => [status] }).pipe(
          retryAfter({ notify: (event) => events.push(event) }),
          tap(() => expect(events).toMatchObject([{ type: 'wait', delay: 60_000, capped: true, source: 'retryAfter' }])),
        );
        expect$(answer$).toBeMarbles('1m (a|)', { a: 200 });
      }));

    it('of zero once, then does not believe them', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([tooMany(0), tooMany(0), tooMany(0), 200]);
        const answer$ = coldFetch(URL, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter(policies.upload));
        expect$(answer$).toBeMarbles('6s (a|)', { a: 200 });
        expect$(fetch).toHaveRequests('(aa) 1996ms a 3999ms a');
      }));

    it('of a date that has passed as zero', () =>
      marbles(({ date, expect$ }) => {
        const fetch = scriptedFetch('5s a b c', { a: tooMany(date('1s')), b: tooMany(date('1s')), c: 200 });
        const answer$ = coldFetch(URL, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter({ random: () => 0.5 }));
        expect$(answer$).toBeMarbles('6s (a|)', { a: 200 });
      }));

    it('above maxHint as the end', () =>
      marbles(({ expect$, flush }) => {
        let error: unknown;
        const answer$ = coldFetch(URL, { fetch: scriptedFetch([tooMany(31)]) }).pipe(
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
        const answer$ = coldFetch(URL, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter({ ...policies.patient, random }));
        // 20 s + 0.5 x 2 s, then 100 s + 0.75 x 3 s.
        expect$(answer$).toBeMarbles('123250ms (a|)', { a: 200 });
        expect$(fetch).toHaveRequests('a 20999ms a 102249ms a');
      }));

    it('trims the spread to the deadline', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([tooMany(14), 200]);
        const answer$ = coldFetch(URL, { fetch, selector: ({ status }) => [status] }).pipe(
          retryAfter({ ...policies.interactive, random: () => 0.999 }),
        );
        expect$(answer$).toBeMarbles('14999ms (a|)', { a: 200 });
      }));

    it('is never cut by the spread: what does not fit ends at once, its response readable', () =>
      marbles(({ expect$ }) => {
        const response = reply(429, { headers: { 'retry-after': '15' }, body: 'slow down' });
        const retrying$ = coldFetch(URL, { fetch: () => of(response) }).pipe(retryAfter(policies.interactive));
        expect$(retrying$).toBeMarbles('#', undefined, { status: 429, response });
        timer(1).subscribe(() => expect([response.bodyUsed, response.cancelledAt]).toEqual([false, undefined]));
      }));
  });

  describe('has a deadline', () => {
    const quick = { ...policies.upload, deadline: 10_000 };

    it('that ends an attempt in flight with the last failure as cause', () =>
      marbles(({ expect$, flush }) => {
        let error: unknown;
        const fetch = scriptedFetch([tooMany(3), 'hang']);
        const answer$ = coldFetch(URL, { fetch }).pipe(retryAfter(quick), tap({ error: (thrown: unknown) => (error = thrown) }));
        expect$(answer$).toBeMarbles('10s #', undefined, {
          name: 'DeadlineError',
          reason: 'deadline',
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
        const answer$ = coldFetch(URL, { fetch }).pipe(retryAfter({ ...quick, notify: (event) => events.push(event) }));
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
        expect$(coldFetch(URL, { fetch }).pipe(retryAfter({ abort$ }))).toBeMarbles('2s |');
        expect$(abort$).toHaveSubscriptions('^ 1999ms !');
      }));

    it('by abort$ that emits at once: nothing is sent', () =>
      marbles(({ expect$ }) => {
        expect$(coldFetch(URL, { fetch: scriptedFetch([]) }).pipe(retryAfter({ abort$: of(0) }))).toBeMarbles('|');
      }));

    it('not by abort$ that completes', () =>
      marbles(({ cold, expect$ }) => {
        const source$ = coldFetch(URL, { fetch: scriptedFetch([tooMany(3), 200]), selector: ({ status }) => [status] });
        expect$(source$.pipe(retryAfter({ abort$: cold('1s |') }))).toBeMarbles('3s (a|)', { a: 200 });
      }));

    it('by abort$ that fails, with its error', () =>
      marbles(({ cold, expect$ }) => {
        const source$ = coldFetch(URL, { fetch: scriptedFetch([tooMany(3)]) });
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
        const answer$ = coldFetch(URL, { fetch, abort$, selector: ({ status }) => [status] });
        const once$ = cold('9s a');
        const other = coldFetch(URL, { fetch: scriptedFetch([tooMany(1), 200]), selector: ({ status }) => [status] });
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
        const answer$ = coldFetch(URL, { fetch, signal: controller.signal }).pipe(retryAfter({ notify: (event) => events.push(event) }));
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
        const answer$ = coldFetch(URL, { fetch, signal: controller.signal }).pipe(retryAfter({ notify: (event) => events.push(event) }));
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
        expect$(coldFetch(URL, { fetch }).pipe(retryAfter()), '^ 2s !').toBeMarbles('');
        expect$(fetch).toHaveRequests('a');
      }));

    it('by unsubscribing while it tells of a wait', () =>
      marbles(({ expect$ }) => {
        const stop$ = new Subject<void>();
        const fetch = scriptedFetch([tooMany(3), 200]);
        expect$(coldFetch(URL, { fetch, abort$: stop$ }).pipe(retryAfter({ abort$: stop$, notify: () => stop$.next() }))).toBeMarbles('|');
        expect$(fetch).toHaveRequests('a');
      }));
  });

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
        const answer$ = coldFetch(URL, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter());
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
        const source$ = coldFetch(URL, { fetch: () => of(sent++ < 3 ? reply(503) : last) }).pipe(
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
        const source$ = coldFetch(URL, { fetch: scriptedFetch([404]) }).pipe(
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
        const answer$ = coldFetch(URL, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter({ notify: () => throwNow(mine) }));
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
        const answer$ = coldFetch(URL, { fetch: () => of(response) }).pipe(
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
        expect$(coldFetch(URL, { fetch, selector: ({ status }) => of(status) }).pipe(asked)).toBeMarbles('3s (a|)', { a: 200 });
      }),
    );

    it('of which the look of classify is a part of the wait, not on top of it', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([tooMany(3), tooMany(0), 200]);
        const slowly = retryAfter<number>({ classify: () => timer(1000).pipe(map(() => undefined)) });
        expect$(coldFetch(URL, { fetch, selector: ({ status }) => of(status) }).pipe(slowly)).toBeMarbles('4s (a|)', { a: 200 });
      }));

    it('of which classify gets 1 s for a body that does not end', () =>
      marbles(({ expect$ }) => {
        const response = reply(429, { chunks: 'ab' });
        const answer$ = coldFetch(URL, { fetch: () => of(response) }).pipe(
          retryAfter({ classify: (_, peek) => peek().pipe(mergeMap((text) => (text === 'ab' ? ['terminal' as const] : [undefined]))) }),
        );
        expect$(answer$).toBeMarbles('1s #', undefined, { status: 429 });
      }));
  });

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
      coldFetch(URL, { fetch, method: 'POST', selector: ({ status }) => [status], ...init });

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

  it('tells of a wait all there is to know', () =>
    marbles(({ expect$, flush }) => {
      const events: RetryEvent[] = [];
      const fetch = scriptedFetch('5ms a 5ms b', { a: tooMany(3), b: 200 });
      const answer$ = coldFetch(URL, { fetch, selector: ({ status }) => [status] }).pipe(
        retryAfter({ notify: (event) => events.push(event) }),
      );
      expect$(answer$).toBeMarbles('3010ms (a|)', { a: 200 });
      flush();
      expect(events).toEqual<WaitEvent[]>([
        {
          type: 'wait',
          attempt: 1,
          delay: 3000,
          until: 3005,
          kind: 'throttled',
          source: 'retryAfter',
          capped: false,
          elapsed: 5,
          status: 429,
          error: expect.objectContaining({ status: 429 }) as unknown,
          origin: 'https://api.test',
        },
      ]);
    }));

  it('starts no timer of its own for the timeout', () =>
    marbles(({ expect$ }) => {
      expect$(NEVER.pipe(retryAfter({ timeout: 10 })), '^ 60m !').toBeMarbles('');
    }));

  it('takes a rule of one’s own', () =>
    marbles(({ cold, expect$ }) => {
      const rule = {
        matches: ({ status }: { status?: number | undefined }) => status === 418,
        retries: 2,
        backoff: exponential({ base: 10 }),
        hint: 'minimum',
        replay: 'any',
      } as const;
      expect$(cold('#', undefined, failure(418)).pipe(retryAfter({ rules: { teapot: rule } }))).toBeMarbles('30ms #', {}, { status: 418 });
    }));

  it('fails through the error channel for what cannot be sent', async () => {
    const error = await errorOf(coldFetch('users').pipe(retryAfter()));
    expect(error).toBeInstanceOf(UsageError);
    expect(retryReport(error)).toMatchObject({ reason: 'terminal', attempts: 1 });
  });
});

function throwNow(error: Error): never {
  throw error;
}
