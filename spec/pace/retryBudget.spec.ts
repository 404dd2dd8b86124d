import { map, mergeMap, take, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { acquire } from '../../src/pace/acquire.js';
import { retryBudget } from '../../src/pace/retryBudget.js';

describe('retryBudget', () => {
  it('lets first requests pass at once, however many', () => {
    const budget = retryBudget({ burst: 1 });
    for (let i = 0; i < 1000; i++) {
      expect(budget.check({})).toBe(0);
      budget.take({});
    }
  });

  it('keeps retries to a share of the requests', () =>
    marbles(({ flush }) => {
      const budget = retryBudget({ ratio: 0.2, minRetriesPerSecond: 0.001, burst: 1 });
      let retries = 0;
      timer(0, 10)
        .pipe(
          take(1000),
          mergeMap(() => {
            budget.take({});
            return acquire(budget, { retry: true }).pipe(take(1));
          }),
        )
        .subscribe(() => retries++);
      timer(10_000).subscribe(() => {
        expect(retries).toBeGreaterThanOrEqual(195);
        expect(retries).toBeLessThanOrEqual(202);
      });
      timer(10_001).subscribe(() => retries++);
      flush();
      expect(retries).toBe(1001);
    }));

  it('delays when it is empty, and never loops', () =>
    marbles(({ expect$ }) => {
      const budget = retryBudget({ ratio: 0, minRetriesPerSecond: 0.5, burst: 1 });
      const retry = () =>
        acquire(budget, { retry: true }).pipe(
          take(1),
          map(() => 'r'),
        );
      expect$(retry()).toBeMarbles('(r|)');
      expect$(retry()).toBeMarbles('2s (r|)');
      expect$(retry()).toBeMarbles('4s (r|)');
    }));

  it('does not hold first requests behind retries that wait', () =>
    marbles(({ expect$ }) => {
      const budget = retryBudget({ ratio: 0, minRetriesPerSecond: 0.5, burst: 1 });
      budget.take({ retry: true });
      expect$(
        acquire(budget, { retry: true }).pipe(
          take(1),
          map(() => 'r'),
        ),
      ).toBeMarbles('2s (r|)');
      expect$(
        acquire(budget).pipe(
          take(1),
          map(() => 'f'),
        ),
      ).toBeMarbles('(f|)');
    }));

  it('refuses nonsense', () => {
    expect(() => retryBudget({ minRetriesPerSecond: 0 })).toThrow(/minRetriesPerSecond is 0/);
    expect(() => retryBudget({ minRetriesPerSecond: Infinity })).toThrow(/minRetriesPerSecond is Infinity/);
  });
});
