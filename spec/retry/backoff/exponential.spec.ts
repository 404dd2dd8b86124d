import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponential } from '../../../src/retry/backoff/exponential.js';
import { delays, drawn, nonsense } from './draws.js';
import { forAll } from '../../support/forAll.js';

describe('exponential', () => {
  it('doubles from the base up to the cap', () => {
    expect(delays(exponential({ base: 1000, cap: 60_000 }), 0.5, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('grows by another factor, or not at all', () => {
    expect(delays(exponential({ base: 100, factor: 3 }), 0.5, 4)).toEqual([100, 300, 900, 2700]);
    expect(delays(exponential({ base: 100, factor: 1 }), 0.5, 3)).toEqual([100, 100, 100]);
  });

  it('adds its jitter on top of the cap', () => {
    const batch = exponential({ base: 300, cap: 8000, jitter: 300 });
    expect(delays(batch, 0.5, 7)).toEqual([450, 750, 1350, 2550, 4950, 8150, 8150]);
    expect(delays(batch, 0, 2)).toEqual([300, 600]);
  });

  it('draws nothing without jitter, and once for each delay with it', () => {
    const draw = drawn(0.25);
    const plain = exponential({ base: 1000 });
    plain({ index: 0, previous: undefined, random: draw.random });
    expect(draw.count()).toBe(0);
    exponential({ base: 1000, jitter: 100 })({ index: 0, previous: undefined, random: draw.random });
    expect(draw.count()).toBe(1);
  });

  it('stays finite and 0 or more at any index', () => {
    const amount = fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true });
    forAll(
      fc.property(amount, fc.nat(), amount, fc.double({ min: 0, max: 0.999, noNaN: true }), (base, index, jitter, random) => {
        const delay = exponential({ base, cap: Infinity, jitter })({ index, previous: undefined, random: () => random });
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThan(Infinity);
      }),
    );
  });

  it.each([...nonsense, { base: 1000, jitter: -1 }, { base: 1000, jitter: NaN }, { base: 1000, factor: 0.5 }, { base: 1000, factor: NaN }])(
    'refuses %o when made, not at the first failure',
    (options) => {
      expect(() => exponential(options)).toThrow(/^exponential: (the argument is|(base|cap|factor|jitter) is) .*; give /);
    },
  );

  it('says what is wrong, where, and what to give', () => {
    expect(() => exponential({ base: 1000, cap: 500 })).toThrow(
      'exponential: cap is 500; give milliseconds, 1000 (the base) or more; leave it out for none',
    );
  });
});
