import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decorrelatedJitter } from '../../../src/retry/backoff/decorrelatedJitter.js';
import { delays, nonsense } from './draws.js';
import { forAll } from '../../support/forAll.js';

describe('decorrelatedJitter', () => {
  const backoff = decorrelatedJitter({ base: 1000, cap: 60_000 });

  it('draws between the base and three times the last delay', () => {
    expect(delays(backoff, 0.5, 3)).toEqual([2000, 3500, 5750]);
  });

  it('stays at the base with the lowest draws, and stops at the cap', () => {
    expect(delays(backoff, 0, 3)).toEqual([1000, 1000, 1000]);
    expect(delays(backoff, 0.9, 9).at(-1)).toBe(60_000);
  });

  it('takes a last delay below the base for the base', () => {
    expect(backoff({ index: 1, previous: 0, random: () => 0.5 })).toBe(2000);
  });

  it('stays between base and cap, whatever came before', () => {
    forAll(
      fc.property(
        fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (previous, random) => {
          const delay = backoff({ index: 3, previous, random: () => random });
          expect(delay).toBeGreaterThanOrEqual(1000);
          expect(delay).toBeLessThanOrEqual(60_000);
        },
      ),
    );
  });

  it('stays finite without a cap', () => {
    const uncapped = decorrelatedJitter({ base: 0 });
    expect(uncapped({ index: 1, previous: Number.MAX_VALUE, random: () => 0.999 })).toBeLessThan(Infinity);
    expect(uncapped({ index: 1, previous: Number.MAX_VALUE, random: () => 0 })).toBe(0);
  });

  it.each(nonsense)('refuses %o when made', (options) => {
    expect(() => decorrelatedJitter(options)).toThrow(/^decorrelatedJitter: /);
  });
});
