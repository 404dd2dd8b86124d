import { defer, NEVER, type Observable, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { coldFetch, exponential, policies, retryAfter, type RetryEvent, retryReport, UsageError, type WaitEvent } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { elapsed } from '../../src/time.js';
import { errorOf } from '../support/errorOf.js';
import { failure, tooMany, USERS } from './retryAfter.support.js';

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
        const pipeline$ = coldFetch(USERS, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter());
        expect$(pipeline$).toBeMarbles('             8s (a|)', { a: 200 });
        expect$(pipeline$, '500ms ^').toBeMarbles('8500ms (a|)', { a: 200 });
      }));

    it('gives neither of them a sixth or a fourth', () =>
      marbles(({ expect$ }) => {
        const pipeline = (status: number): Observable<Response> =>
          coldFetch(USERS, { fetch: () => of(...answers([status])) }).pipe(retryAfter());
        const [throttled$, failing$] = [pipeline(429), pipeline(503)];
        expect$(throttled$).toBeMarbles('             5s #', undefined, { status: 429 });
        expect$(throttled$, '500ms ^').toBeMarbles('5500ms #', undefined, { status: 429 });
        expect$(failing$).toBeMarbles('              3s #', undefined, { status: 503 });
        expect$(failing$, '500ms ^').toBeMarbles(' 3500ms #', undefined, { status: 503 });
      }));

    it('neither uses up nor resets the other counter', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch(answers([429, 429, 503, 429, 429, 503, 503, 429, 429]));
        expect$(coldFetch(USERS, { fetch }).pipe(retryAfter())).toBeMarbles('8s #', undefined, { status: 429 });
      }));

    it('starts again at each subscription', () =>
      marbles(({ expect$ }) => {
        const six = [429, 429, 429, 429, 429, 429];
        const source$ = coldFetch(USERS, { fetch: scriptedFetch(answers([...six, ...six])) }).pipe(retryAfter());
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
        expect$(coldFetch(USERS, { fetch, selector: ({ status }) => [status] }).pipe(retryAfter(policies.upload))).toBeMarbles('14s (a|)', {
          a: 200,
        });
        expect$(fetch).toHaveRequests('a 999ms a 8999ms a 1999ms a 1999ms a');
      }));
  });

  it('tells of a wait all there is to know', () =>
    marbles(({ expect$, flush }) => {
      const events: RetryEvent[] = [];
      const fetch = scriptedFetch('5ms a 5ms b', { a: tooMany(3), b: 200 });
      const answer$ = coldFetch(USERS, { fetch, selector: ({ status }) => [status] }).pipe(
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
