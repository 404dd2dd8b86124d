import { asyncScheduler, catchError, EMPTY, filter, mergeMap, NEVER, takeUntil, timer } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { policies, retryReport } from 'coldfetch';
import { marbles, reply } from 'coldfetch/testing';
import { acquire } from '../../src/pace/acquire.js';
import { allOf } from '../../src/pace/allOf.js';
import { concurrency } from '../../src/pace/concurrency.js';
import { retryAndPace } from '../../src/operation/retryAndPace.js';
import { pacer } from '../../src/pace/pacer.js';
import { tokenBucket } from '../../src/pace/tokenBucket.js';
import type { HttpEvent } from '../../src/request/HttpEvent.js';
import type { Limiter } from '../../src/pace/Limiter.js';
import { HttpContext } from '../../src/request/HttpContext.js';
import { HttpRequest } from '../../src/request/HttpRequest.js';
import { COST } from '../../src/request/tokens.js';
import { destinationOf } from '../../src/pace/keys.js';
import { elapsed } from '../../src/time.js';
import { answering, fine, pipeline, tooMany } from '../support/pipeline.js';
import { witness } from '../pace/witness.js';

const put = (): HttpRequest => new HttpRequest('PUT', 'https://api.test/files?key=secret');

describe('retryAndPace', () => {
  it('ends what limits the rate at the headers, what limits requests in flight at the end of the body', () =>
    marbles(({ flush, server }) => {
      const limiter = witness();
      server.on('GET /', '5ms a', { a: reply(200, { chunks: 'a 9ms b|' }) });
      pipeline(server.fetch, limiter)(new HttpRequest('GET', `${server.url}/`, { responseType: 'text' })).subscribe();
      flush();
      expect(limiter.told).toEqual([
        [5, 'settled', 200],
        [16, 'released'],
      ]);
    }));

  it('gives the permit back when an attempt fails, is aborted, or makes no progress', () => {
    const endings = [
      {
        fetch: answering(() => new Response(null, { status: 404 })),
        told: [
          [10, 'settled', 404],
          [10, 'released'],
        ],
      },
      {
        fetch: answering(() => NEVER),
        timeout: 7,
        told: [
          [7, 'settled', 0],
          [7, 'released'],
        ],
      },
      {
        fetch: answering(() => NEVER),
        abortAt: 4,
        told: [
          [4, 'settled', 'unknown'],
          [4, 'released'],
        ],
      },
    ];
    for (const { fetch, told, timeout = 1000, abortAt = 10_000 } of endings) {
      marbles(({ flush }) => {
        const limiter = witness();
        pipeline(fetch, limiter, { rules: {}, timeout })(put())
          .pipe(
            catchError(() => EMPTY),
            takeUntil(timer(abortAt)),
          )
          .subscribe();
        flush();
        expect(limiter.told).toEqual(told);
      });
    }
  });

  it('starts the timeout of an attempt when its permit is granted', () =>
    marbles(({ flush }) => {
      const limiter = concurrency(1);
      acquire(limiter)
        .pipe(takeUntil(timer(60_000)))
        .subscribe();
      const server = answering(() => fine());
      const events: string[] = [];
      pipeline(server, limiter, { timeout: 1000 })(put()).subscribe((event) => events.push(event.type));
      flush();
      expect([server.at, events.at(-1)]).toEqual([[60_000], 'response']);
    }));

  it('times an attempt out where nothing is retried, too', () =>
    marbles(({ expect$, server }) => {
      server.on('GET /', ['hang']);
      const events$ = pipeline(
        server.fetch,
        pacer(),
        false,
      )(new HttpRequest('GET', `${server.url}/`)).pipe(filter(({ type }) => type === 'response'));
      expect$(events$).toBeMarbles('30s #', {}, { name: 'TimeoutError' });
    }));

  it('waits once for a 429 that its gate holds, and tells of it once, by the rule that took it', () =>
    marbles(({ flush }) => {
      const server = answering((n) => (n === 1 ? tooMany({ 'retry-after': '3' }) : fine()));
      const events: HttpEvent[] = [];
      pipeline(server, pacer({ random: () => 0 }))(put()).subscribe((event) => events.push(event));
      flush();
      expect(server.at).toEqual([0, 3010]);
      expect(events.filter(({ type }) => type === 'wait')).toEqual([
        {
          type: 'wait',
          attempt: 1,
          status: 429,
          error: expect.objectContaining({ status: 429 }) as unknown,
          delay: 3000,
          until: 3010,
          kind: 'throttled',
          source: 'retryAfter',
          capped: false,
          elapsed: expect.any(Number),
          origin: 'https://api.test',
          position: 0,
        },
      ]);
    }));

  it('ends with the 429 it had, and sends nothing, when its deadline comes before the gate opens', () =>
    marbles(({ flush }) => {
      const server = answering(() => tooMany({ 'retry-after': '60' }));
      let ended: unknown;
      let failure: unknown;
      pipeline(server, pacer(), { deadline: 20_000 })(put()).subscribe({
        error: (error: unknown) => {
          [ended, failure] = [elapsed(), error];
        },
      });
      flush();
      expect([server.at, ended]).toEqual([[0], 10]);
      expect(failure).toMatchObject({ name: 'HttpError', status: 429 });
    }));

  it('refuses a newcomer that cannot be in time by a DeadlineError, the 429 its cause', () =>
    marbles(({ flush }) => {
      const limiter = pacer();
      const error = new Error('429');
      limiter.take({ url: put().url }).settle({ status: 429, headers: new Headers({ 'retry-after': '60' }), error });
      const server = answering(() => fine());
      let failure: unknown;
      pipeline(server, limiter, { deadline: 20_000 })(put()).subscribe({ error: (error: unknown) => (failure = error) });
      flush();
      expect(server.at).toEqual([]);
      expect(failure).toMatchObject({ name: 'DeadlineError', cause: error });
      expect(String(failure)).toContain('The deadline cannot be kept: the gate opens in 60 s, and 20 s are left');
    }));

  it('gives up at once on a wait of more than 30 minutes, with that 429', () =>
    marbles(({ flush }) => {
      const server = answering(() => tooMany({ 'retry-after': '2400' }));
      let failure: unknown;
      let ended = 0;
      pipeline(server, pacer(), { ...policies.patient, deadline: Infinity })(put()).subscribe({
        error: (thrown: unknown) => {
          [ended, failure] = [elapsed(), thrown];
        },
      });
      flush();
      expect([server.at, ended]).toEqual([[0], 10]);
      expect(failure).toMatchObject({ name: 'HttpError', status: 429 });
      expect(retryReport(failure)).toMatchObject({ reason: 'max-wait', attempts: 1 });
    }));

  it('corrects the cost by what the answer tells', () =>
    marbles(({ flush }) => {
      const limiter = tokenBucket({ rate: 1, per: 100, burst: 10 });
      const server = answering(() => fine({ 'x-tokens': '8' }));
      const send = pipeline(server, limiter, {}, { cost: ({ headers }) => Number(headers.get('x-tokens')) });
      let granted = 0;
      send(put()).subscribe();
      timer(20)
        .pipe(mergeMap(() => acquire(limiter, { cost: 10 })))
        .subscribe(() => (granted = elapsed()));
      flush();
      // One was taken at the start and seven more are owed: a tenth of a second for each.
      expect(granted).toBe(800);
    }));

  it('ends the operation with what a function of the caller throws, once, and gives the permit back', () =>
    marbles(({ flush }) => {
      const broken = (): never => {
        // The error looks like a failure of the network, which would be retried.
        throw new TypeError('fetch failed');
      };
      for (const [hook, sent] of [
        ['credential', 0],
        ['policyName', 0],
        ['cost', 1],
      ] as const) {
        const limiter = witness();
        const server = answering(() => fine());
        const events: HttpEvent[] = [];
        let failure: unknown;
        pipeline(
          server,
          limiter,
          {},
          { [hook]: broken },
        )(put()).subscribe({
          next: (event) => events.push(event),
          error: (error: unknown) => (failure = error),
        });
        flush();
        expect(failure).toBeInstanceOf(TypeError);
        expect(events.at(-1)).toMatchObject({ type: 'gave-up', reason: 'hook-failed', attempt: sent });
        expect([server.at.length, limiter.told.filter(([, what]) => what === 'released').length]).toEqual([sent, sent]);
      }
    }));

  it('refuses a cost that is none', () => {
    const request = put().clone({ context: HttpContext.of(COST, NaN) });
    let failure: unknown;
    pipeline(
      answering(() => fine()),
      concurrency(1),
    )(request).subscribe({ error: (error: unknown) => (failure = error) });
    expect(String(failure)).toBe('UsageError: ask: cost is NaN; give a number, 0 or more');
  });

  it('does not count an attempt that was never sent, wherever it waited', () =>
    marbles(({ flush }) => {
      const limiter = concurrency(1);
      acquire(limiter).subscribe();
      const events: HttpEvent[] = [];
      pipeline(
        answering(() => fine()),
        limiter,
        { deadline: 5000 },
      )(put()).subscribe({ next: (event) => events.push(event), error: () => undefined });
      flush();
      expect(events).toMatchObject([{ type: 'gave-up', reason: 'deadline', attempt: 0 }]);
    }));

  it('takes all relative URLs for one origin, that of the page', () => {
    const urls: unknown[] = [];
    const limiter: Limiter = { ...witness(), line: (ask) => String(urls.push(destinationOf(ask))), check: () => 1 };
    for (const url of ['/users/1', 'files', 'https://api.test/x?key=secret']) {
      pipeline(
        answering(() => fine()),
        limiter,
      )(new HttpRequest('GET', url))
        .subscribe()
        .unsubscribe();
    }
    expect(urls).toEqual(['', '', 'https://api.test']);
  });

  it('waits 30 minutes in all, though others use up an announced quota before each of its requests, which are not counted', () =>
    marbles(({ flush }) => {
      const server = answering(() => tooMany({ 'retry-after': '60', ratelimit: '"w"; r=0; t=60' }), 0);
      let failure: unknown;
      pipeline(server, pacer({ random: () => 0 }))(put()).subscribe({ error: (error: unknown) => (failure = error) });
      flush();
      expect([server.at.length, server.at.at(-1)]).toEqual([30, 29 * 60_000]);
      expect(failure).toMatchObject({ name: 'HttpError', status: 429 });
      expect(retryReport(failure)).toMatchObject({ reason: 'max-wait', waited: 1_800_000 });
    }));

  it('neither sends early nor late when the wall clock steps', () => {
    for (const step of [-11_000, 3_600_000]) {
      marbles(({ flush }) => {
        const server = answering((n) => (n === 1 ? tooMany({ 'retry-after': '5' }) : fine()));
        const now = asyncScheduler.now.bind(asyncScheduler);
        const clock = vi.spyOn(asyncScheduler, 'now').mockImplementation(() => now() + (now() > 1000 ? step : 0));
        pipeline(server, pacer({ random: () => 0 }))(put()).subscribe();
        flush();
        clock.mockRestore();
        expect(server.at).toEqual([0, 5010]);
      });
    }
  });

  it('joins a gate, a bucket and slots', () =>
    marbles(({ flush }) => {
      const server = answering(() => fine(), 10);
      const limiter = allOf(concurrency(2), tokenBucket({ rate: 1, per: 4, burst: 1 }), pacer({ random: () => 0 }));
      const send = pipeline(server, limiter);
      for (let i = 0; i < 4; i++) send(put()).subscribe();
      flush();
      expect(server.at).toEqual([0, 10, 14, 20]);
    }));

  it('times an attempt out after 30 s where nobody retries', () =>
    marbles(({ flush }) => {
      let ended = 0;
      pipeline(
        answering(() => NEVER),
        pacer(),
        false,
      )(put()).subscribe({ error: () => (ended = elapsed()) });
      flush();
      expect(ended).toBe(30_000);
    }));

  it('refuses nonsense', () => {
    expect(() => retryAndPace({}, pacer(), { maxWait: NaN })).toThrow(/maxWait is NaN/);
  });
});
