import fc from 'fast-check';
import { finalize, map, mergeMap, takeUntil, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { acquire } from '../../src/pace/acquire.js';
import { concurrency } from '../../src/pace/concurrency.js';
import { limitWith } from '../../src/pace/limitWith.js';
import { forAll } from '../support/forAll.js';

describe('concurrency', () => {
  it('holds a permit until the source ends', () =>
    marbles(({ cold, expect$ }) => {
      const limiter = concurrency(1);
      expect$(cold('--a|').pipe(limitWith(limiter))).toBeMarbles('--a|');
      expect$(cold('--a|').pipe(limitWith(limiter))).toBeMarbles('-----a|');
      expect$(cold('-#').pipe(limitWith(limiter))).toBeMarbles('  -------#');
      expect$(cold('-a|').pipe(limitWith(limiter))).toBeMarbles(' --------a|');
    }));

  it('is never exceeded, and every permit comes back, whatever is aborted', () => {
    const jobs = fc.array(
      fc.record({
        start: fc.integer({ min: 0, max: 50 }),
        lasts: fc.integer({ min: 0, max: 30 }),
        aborted: fc.option(fc.integer({ min: 0, max: 60 }), { nil: 10_000 }),
      }),
      { maxLength: 40 },
    );
    forAll(
      fc.property(jobs, fc.integer({ min: 1, max: 5 }), (all, max) =>
        marbles(({ flush }) => {
          const limiter = concurrency(max);
          let inFlight = 0;
          let most = 0;
          for (const { start, lasts, aborted } of all) {
            const work = timer(lasts).pipe(finalize(() => inFlight--));
            const counted = timer(0).pipe(
              mergeMap(() => {
                most = Math.max(most, ++inFlight);
                return work;
              }),
              limitWith(limiter),
            );
            timer(start)
              .pipe(mergeMap(() => counted.pipe(takeUntil(timer(aborted)))))
              .subscribe();
          }
          flush();
          expect(most).toBeLessThanOrEqual(max);
          let free = 0;
          for (let i = 0; i < max; i++)
            acquire(limiter)
              .pipe(map(() => free++))
              .subscribe();
          expect(free).toBe(max);
        }),
      ),
      { numRuns: 60 },
    );
  });

  it('tells who waits behind how many, though nobody knows how long', () => {
    const limiter = concurrency(1);
    const told: unknown[] = [];
    for (let i = 0; i < 3; i++) acquire(limiter, {}, { onWait: (waiting) => told.push(waiting) }).subscribe();
    expect(told).toEqual([
      { source: 'slots', delay: Infinity, position: 0 },
      { source: 'slots', delay: Infinity, position: 1 },
    ]);
  });

  it('refuses nonsense', () => {
    expect(() => concurrency(0)).toThrow(/max is 0/);
    expect(() => concurrency(2.5)).toThrow(/max is 2.5; give a whole number, 1 or more/);
    expect(() => concurrency(Infinity)).not.toThrow();
  });
});
