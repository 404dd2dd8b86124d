import { map, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { acquire, limitWith, spacing } from 'coldfetch';
import { marbles } from 'coldfetch/testing';

describe('spacing', () => {
  it('keeps starts apart, however long the requests take', () =>
    marbles(({ cold, expect$ }) => {
      const limiter = spacing(3);
      expect$(cold('-----a|').pipe(limitWith(limiter))).toBeMarbles('-----a|');
      expect$(cold('a|').pipe(limitWith(limiter))).toBeMarbles('     ---a|');
      expect$(cold('a|').pipe(limitWith(limiter))).toBeMarbles('     ------a|');
    }));

  it('lets a request that comes late enough go at once', () =>
    marbles(({ cold, expect$ }) => {
      const limiter = spacing(3);
      const late$ = cold('a|').pipe(limitWith(limiter));
      expect$(cold('a|').pipe(limitWith(limiter))).toBeMarbles('a|');
      expect$(late$, '----^').toBeMarbles('----a|');
    }));

  it('estimates each wait, and refuses what deadline and maxWait do not allow', () =>
    marbles(({ expect$ }) => {
      const limiter = spacing(1000);
      const told: unknown[] = [];
      const ask = (deadline?: number) => acquire(limiter, { deadline }, { onWait: (waiting) => told.push(waiting) });
      const late = { name: 'DeadlineError', message: 'The deadline cannot be kept: the turn comes in 1 s, and 0.5 s are left' };
      ask().subscribe();
      expect$(ask(9000).pipe(map(() => 'p'))).toBeMarbles('1s p');
      expect$(ask().pipe(map(() => 'p'))).toBeMarbles('    2s p');
      expect$(ask(500)).toBeMarbles('                     #', undefined, late);
      expect$(acquire(limiter, { maxWait: 500 })).toBeMarbles('#', undefined, { name: 'LimiterError', reason: 'max-wait' });
      timer(0).subscribe(() =>
        expect(told).toEqual([
          { source: 'spacing', delay: 1000, least: 1000, position: 0 },
          { source: 'spacing', delay: 2000, least: 1000, position: 1 },
        ]),
      );
    }));

  it('refuses nonsense', () => {
    for (const ms of [-1, NaN]) expect(() => spacing(ms)).toThrow(/spacing: ms is/);
  });
});
