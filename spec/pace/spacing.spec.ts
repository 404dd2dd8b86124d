import { describe, expect, it } from 'vitest';
import { limitWith, spacing } from 'coldfetch';
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

  it('refuses nonsense', () => {
    for (const ms of [-1, NaN]) expect(() => spacing(ms)).toThrow(/spacing: ms is/);
  });
});
