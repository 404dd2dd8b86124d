import { concat, delay, map, mergeMap, type Observable, of, repeat, take, takeUntil, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { acquire } from '../../src/pace/acquire.js';
import { allOf } from '../../src/pace/allOf.js';
import { circuitBreaker } from '../../src/pace/circuitBreaker.js';
import { concurrency } from '../../src/pace/concurrency.js';
import type { Limiter, Outcome, Permit } from '../../src/pace/Limiter.js';
import { seeded } from '../../src/simulate/seeded.js';
import { virtualTime } from '../../src/simulate/virtualTime.js';
import { elapsed, wait } from '../../src/time.js';

const url = 'https://api.test/';

function send(limiter: Limiter, outcome: Outcome): void {
  const permit = limiter.take({ url });
  permit.settle(outcome);
  permit.release();
}

function fail(limiter: Limiter, times: number): void {
  for (let i = 0; i < times; i++) send(limiter, { status: 503 });
}

describe('circuitBreaker', () => {
  it('opens after so many failures in a row, and waits', () =>
    marbles(({ expect$, random }) => {
      const breaker = circuitBreaker({ consecutiveFailures: 3, breakDuration: 1000, random });
      fail(breaker, 2);
      expect(breaker.check({ url })).toBe(0);
      fail(breaker, 1);
      expect(breaker.check({ url })).toBe(750);
      expect$(
        acquire(breaker, { url }).pipe(
          take(1),
          map(() => 'p'),
        ),
      ).toBeMarbles('750ms (p|)');
    }));

  it('opens when a share of the last requests failed', () => {
    const breaker = circuitBreaker({ consecutiveFailures: Infinity, failureRatio: 0.5, minimumThroughput: 10, samplingDuration: 1000 });
    for (let i = 0; i < 9; i++) send(breaker, { status: i % 2 ? 503 : 200 });
    expect(breaker.check({ url })).toBe(0);
    fail(breaker, 1);
    expect(breaker.check({ url })).toBeGreaterThan(0);
  });

  it('forgets failures that are older than the window', () =>
    marbles(({ flush }) => {
      const breaker = circuitBreaker({ consecutiveFailures: Infinity, failureRatio: 0.5, minimumThroughput: 4, samplingDuration: 1000 });
      fail(breaker, 3);
      timer(2000).subscribe(() => fail(breaker, 3));
      flush();
      expect(breaker.check({ url })).toBe(0);
    }));

  it('tells its state: closed, open, half-open, closed', () =>
    marbles(({ expect$ }) => {
      const breaker = circuitBreaker({ consecutiveFailures: 1, breakDuration: 10, random: () => 0 });
      timer(2).subscribe(() => fail(breaker, 1));
      timer(4)
        .pipe(
          mergeMap(() => acquire(breaker, { url })),
          delay(3),
        )
        .subscribe((permit) => permit.settle({ status: 200 }));
      const states = { c: 'closed', o: 'open', h: 'half-open' };
      expect$(breaker.state$(url).pipe(take(4))).toBeMarbles('c-o----h--(c|)', states);
    }));

  it('asks by one probe, and opens for twice as long when it fails', () =>
    marbles(({ flush }) => {
      const breaker = circuitBreaker({ consecutiveFailures: 1, breakDuration: 1000, random: () => 0 });
      const probes: number[] = [];
      fail(breaker, 1);
      const probe = acquire(breaker, { url }).pipe(
        tap(() => probes.push(elapsed())),
        delay(10),
        tap((permit) => permit.settle({ status: probes.length < 4 ? 503 : 200 })),
        take(1),
      );
      concat(...Array.from({ length: 4 }, () => probe)).subscribe();
      flush();
      expect(probes).toEqual([500, 1510, 3520, 5530]);
    }));

  it('hands the turn of a probe that is given up to the next', () =>
    marbles(({ expect$ }) => {
      const breaker = circuitBreaker({ consecutiveFailures: 1, breakDuration: 10, random: () => 0 });
      fail(breaker, 1);
      acquire(breaker, { url }).pipe(take(1)).subscribe();
      expect$(
        acquire(breaker, { url }).pipe(
          take(1),
          map(() => 'p'),
        ),
      ).toBeMarbles('5ms (p|)');
    }));

  it('is not opened by failures of requests that were sent before it opened the last time', () =>
    marbles(({ flush }) => {
      const breaker = circuitBreaker({ consecutiveFailures: 2, breakDuration: 10, random: () => 0 });
      const slow = [1, 2, 3].map(() => breaker.take({ url }));
      fail(breaker, 2);
      timer(20).subscribe(() => {
        send(breaker, { status: 200 });
        slow.forEach((permit) => permit.settle({ status: 0 }));
      });
      flush();
      expect(breaker.check({ url })).toBe(0);
    }));

  it('refuses at once what its deadline does not allow', () => {
    const breaker = circuitBreaker({ consecutiveFailures: 1, breakDuration: 10_000 });
    fail(breaker, 1);
    let failure: unknown;
    acquire(breaker, { url, deadline: elapsed() + 3000 }).subscribe({ error: (error: unknown) => (failure = error) });
    expect(failure).toMatchObject({
      name: 'DeadlineError',
      message: expect.stringMatching(/^The deadline cannot be kept for https:/) as string,
    });
  });

  it('refuses at once what maxWait does not allow', () => {
    const breaker = circuitBreaker({ consecutiveFailures: 1, breakDuration: 10_000 });
    fail(breaker, 1);
    let failure: unknown;
    acquire(breaker, { url, maxWait: 3000 }).subscribe({ error: (error: unknown) => (failure = error) });
    expect(failure).toMatchObject({ name: 'LimiterError', reason: 'max-wait' });
  });

  it('refuses nobody while a probe is on its way: nobody knows how long that takes', () =>
    marbles(({ expect$ }) => {
      const breaker = circuitBreaker({ consecutiveFailures: 1, breakDuration: 10, random: () => 0 });
      fail(breaker, 1);
      const probe = timer(5).pipe(map(() => breaker.take({ url })));
      probe.pipe(delay(20)).subscribe((permit) => permit.settle({ status: 200 }));
      const late$ = timer(6).pipe(
        mergeMap(() => acquire(breaker, { url, deadline: 30 })),
        map(() => 'p'),
        take(1),
      );
      expect(breaker.estimate?.({ url }, 0)).toEqual({ source: 'breaker', delay: 5, least: 5 });
      expect$(late$).toBeMarbles('25ms (p|)');
    }));

  it('forgets no open circuit because others are asked about', () => {
    const breaker = circuitBreaker({ consecutiveFailures: 1 });
    fail(breaker, 1);
    for (let i = 0; i < 300; i++) breaker.check({ url: `https://${i}.test` });
    expect(breaker.check({ url })).toBeGreaterThan(0);
  });

  it('takes the other conditions as by default', () => {
    const breaker = circuitBreaker({ consecutiveFailures: Infinity, minimumThroughput: 4 });
    fail(breaker, 4);
    expect(breaker.check({ url })).toBeGreaterThan(0);
    expect(() => circuitBreaker({ failureRatio: 2 })).toThrow(/failureRatio is 2/);
    expect(() => circuitBreaker({ breakDuration: 0 })).toThrow(/breakDuration is 0/);
  });

  it('ignores 429s that carry a quota hint, and counts those that do not', () => {
    const breaker = circuitBreaker({ consecutiveFailures: 2 });
    for (let i = 0; i < 9; i++) send(breaker, { status: 429, headers: new Headers({ 'retry-after': '1' }) });
    expect(breaker.check({ url })).toBe(0);
    for (let i = 0; i < 2; i++) send(breaker, { status: 429, headers: new Headers() });
    expect(breaker.check({ url })).toBeGreaterThan(0);
  });

  it('ignores a 429 that a gate has taken, whatever it says', () => {
    const breaker = circuitBreaker({ consecutiveFailures: 1 });
    send(breaker, { status: 429, headers: new Headers(), held: true });
    expect(breaker.check({ url })).toBe(0);
  });

  it('leaves other origins alone', () => {
    const breaker = circuitBreaker({ consecutiveFailures: 1 });
    fail(breaker, 1);
    expect(breaker.check({ url: 'https://other.test' })).toBe(0);
  });

  it('takes its probe last, when slots are free', () =>
    marbles(({ expect$, flush }) => {
      const breaker = circuitBreaker({ consecutiveFailures: 1, breakDuration: 10, random: () => 0 });
      const slots = concurrency(1);
      fail(breaker, 1);
      slots.take({});
      expect$(acquire(allOf(slots, breaker), { url })).toBeMarbles('-');
      flush();
      let state = '';
      breaker.state$(url).subscribe((now) => (state = now));
      expect(state).toBe('open');
    }));

  it('sends a fraction of the requests of an outage, and is back soon after', () => {
    const sent = { with: 0, without: 0 };
    let lateFirst = 0;
    const permit$ = (limiter?: Limiter): Observable<Permit | undefined> => (limiter ? acquire(limiter, { url }) : of(undefined));
    const client = (count: () => void, limiter?: Limiter) =>
      permit$(limiter).pipe(
        tap(count),
        tap((permit) => permit?.settle({ status: elapsed() < 60_000 ? 503 : 200 })),
        take(1),
        mergeMap(() => wait(1000)),
        repeat(200),
        takeUntil(wait(180_000)),
      );
    virtualTime(() => {
      for (let i = 0; i < 200; i++) {
        const random = seeded(i);
        let back = false;
        client(() => (sent.without += elapsed() < 60_000 ? 1 : 0)).subscribe();
        client(() => {
          sent.with += elapsed() < 60_000 ? 1 : 0;
          if (elapsed() >= 60_000 && !back) [back, lateFirst] = [true, Math.max(lateFirst, elapsed() - 60_000)];
        }, circuitBreaker({ random })).subscribe();
      }
    });
    expect(sent.without).toBe(12_000);
    expect(sent.with).toBeLessThan(4000);
    expect(lateFirst).toBeLessThanOrEqual(7000);
  });
});
