import fc from 'fast-check';
import { map, mergeMap, of, take, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { acquire } from '../../src/pace/acquire.js';
import { tokenBucket } from '../../src/pace/tokenBucket.js';
import { elapsed } from '../../src/time.js';
import { forAll } from '../support/forAll.js';

describe('tokenBucket', () => {
  it('gives its burst at once, then lets asks go at its rate', () =>
    marbles(({ expect$ }) => {
      const limiter = tokenBucket({ rate: 1, per: 6, burst: 2 });
      const asks = of('a', 'b', 'c', 'd').pipe(
        mergeMap((name) =>
          acquire(limiter).pipe(
            map(() => name),
            take(1),
          ),
        ),
      );
      expect$(asks).toBeMarbles('(ab)--c-----(d|)');
    }));

  it('never lets more pass in any window than burst + rate x window', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 60 });
    const rules = fc.record({
      rate: fc.integer({ min: 1, max: 20 }),
      per: fc.integer({ min: 10, max: 1000 }),
      burst: fc.integer({ min: 1, max: 10 }),
    });
    forAll(
      fc.property(arrivals, rules, fc.integer({ min: 1, max: 2000 }), (at, rule, window) => {
        const times: number[] = [];
        marbles(({ flush }) => {
          const limiter = tokenBucket(rule);
          for (const moment of at)
            timer(moment)
              .pipe(mergeMap(() => acquire(limiter).pipe(take(1))))
              .subscribe(() => times.push(elapsed()));
          flush();
          expect(times).toHaveLength(at.length);
        });
        const limit = rule.burst + (rule.rate * window) / rule.per;
        const most = Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + window).length));
        expect(most).toBeLessThanOrEqual(Math.ceil(limit + 1e-6));
      }),
      { numRuns: 60 },
    );
  });

  it('corrects the cost after the answer: what was too much comes back, what was too little is owed', () =>
    marbles(({ expect$ }) => {
      const ask = (limiter: ReturnType<typeof tokenBucket>, actual: number) =>
        acquire(limiter, { cost: 10 }).pipe(
          take(1),
          tap((permit) => permit.settle({ status: 200, cost: actual })),
          map(() => 'p'),
        );
      const cheap = tokenBucket({ rate: 1, per: 1, burst: 10 });
      expect$(ask(cheap, 2)).toBeMarbles('(p|)');
      expect$(ask(cheap, 2)).toBeMarbles('2ms (p|)');
      const dear = tokenBucket({ rate: 1, per: 1, burst: 10 });
      expect$(ask(dear, 15)).toBeMarbles('(p|)');
      expect$(ask(dear, 15)).toBeMarbles('15ms (p|)');
    }));

  it.each([NaN, -3, Infinity])('ignores an answer whose cost is %d', (cost) => {
    const limiter = tokenBucket({ rate: 1, per: 60_000 });
    limiter.take({}).settle({ status: 200, cost });
    expect(limiter.check({})).toBeGreaterThan(59_000);
    expect(limiter.check({})).toBeLessThanOrEqual(60_000);
  });

  it('estimates each wait, and refuses what deadline and maxWait do not allow', () =>
    marbles(({ expect$ }) => {
      const limiter = tokenBucket({ rate: 1, burst: 10 });
      limiter.take({ cost: 10 });
      expect(limiter.estimate?.({ cost: 4 }, 0)).toEqual({ source: 'bucket', delay: 4000, least: 4000 });
      // Asks ahead may be withdrawn: the ask's own tokens are the least that it waits for.
      expect(limiter.estimate?.({ cost: 4 }, 2)).toEqual({ source: 'bucket', delay: 12_000, least: 4000 });
      const late = { message: 'The deadline cannot be kept: the turn comes in 4 s, and 3 s are left' };
      expect$(acquire(limiter, { cost: 4, deadline: 3000 })).toBeMarbles('#', undefined, late);
      const tooLong = {
        name: 'LimiterError',
        reason: 'max-wait',
        message: 'maxWait cannot be kept: the turn comes in 4 s, and maxWait leaves 3 s; raise it to wait longer',
      };
      expect$(acquire(limiter, { cost: 4, maxWait: 3000 })).toBeMarbles('#', undefined, tooLong);
    }));

  it('fails an ask that costs more than it ever holds', () => {
    let failure: unknown;
    acquire(tokenBucket({ rate: 1, burst: 5 }), { cost: 6 }).subscribe({ error: (error: unknown) => (failure = error) });
    expect(failure).toMatchObject({ name: 'LimiterError', reason: 'never' });
  });

  it('refuses nonsense', () => {
    expect(() => tokenBucket({ rate: 0 })).toThrow(/rate is 0/);
    expect(() => tokenBucket({ rate: 1, burst: NaN })).toThrow(/burst is NaN/);
  });
});
