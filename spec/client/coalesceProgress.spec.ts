import { describe, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { coalesceProgress } from '../../src/client/coalesceProgress.js';

const values = Object.fromEntries(
  ['a', 'b', 'c', 'd'].map((name, n): [string, unknown] => [name, { type: 'upload', loaded: n }]).concat([['X', { type: 'headers' }]]),
);

describe('coalesceProgress', () => {
  it('lets the first out at once, then the latest when its time has come', () =>
    marbles(({ cold, expect$ }) => {
      const source$ = cold('  -ab-c------d|', values);
      expect$(source$.pipe(coalesceProgress(4))).toBeMarbles('-a---c-----d|', values);
      expect$(source$).toHaveSubscriptions('^ 11ms !');
    }));

  it('lets the latest out before any other event, completion, and an error', () =>
    marbles(({ cold, expect$ }) => {
      const by = coalesceProgress<unknown>(9);
      expect$(cold('ab-X-----', values).pipe(by)).toBeMarbles('a--(bX)', values);
      expect$(cold('ab-|', values).pipe(by)).toBeMarbles('  a--(b|)', values);
      expect$(cold('ab-#', values).pipe(by)).toBeMarbles('  a--(b#)', values);
    }));

  it('has a pace for each type and each path', () =>
    marbles(({ cold, expect$ }) => {
      const files = { a: { type: 'progress', path: '1' }, b: { type: 'progress', path: '2' }, c: { type: 'download', path: '1' } };
      expect$(cold('abcab---|', files).pipe(coalesceProgress(5))).toBeMarbles('abc--ab-|', files);
    }));

  it('lets everything pass at 0 ms, and what is no progress always', () =>
    marbles(({ cold, expect$ }) => {
      expect$(cold('abcd|', values).pipe(coalesceProgress(0))).toBeMarbles('abcd|', values);
      expect$(cold('xyz|').pipe(coalesceProgress(9))).toBeMarbles('         xyz|');
    }));

  it('counts for each subscription', () =>
    marbles(({ cold, expect$ }) => {
      const source$ = cold('ab--|', values).pipe(coalesceProgress(3));
      expect$(source$).toBeMarbles('  a--b|', values);
      expect$(source$, '-^').toBeMarbles('-a--b|', values);
    }));

  it('leaves no timer when it is unsubscribed', () =>
    marbles(({ cold, expect$ }) => {
      const source$ = cold('ab----', values);
      expect$(source$.pipe(coalesceProgress(9)), '^--!').toBeMarbles('a', values);
      expect$(source$).toHaveSubscriptions('^--!');
    }));
});
