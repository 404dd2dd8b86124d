import { describe, expect, it } from 'vitest';
import { isUsageError } from '../../../src/request/errors/UsageError.js';
import { fullJitter } from '../../../src/retry/backoff/fullJitter.js';
import { delays, drawn, nonsense } from './draws.js';

describe('fullJitter', () => {
  const standard = fullJitter({ base: 1000, cap: 60_000 });

  it('draws between 0 and the exponential delay', () => {
    expect(delays(standard, 0.5, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(delays(standard, 0, 3)).toEqual([0, 0, 0]);
  });

  it('draws afresh for every delay', () => {
    const draw = drawn(0.5);
    for (let index = 0; index < 3; index++) standard({ index, previous: undefined, random: draw.random });
    expect(draw.count()).toBe(3);
  });

  it('looks at the index only, whatever the last delay was', () => {
    expect(standard({ index: 2, previous: 50_000, random: () => 0.5 })).toBe(2000);
  });

  it.each([0, 1e-9, 1, 1e300])('stays finite at a huge index with a base of %d', (base) => {
    expect(fullJitter({ base })({ index: 1e9, previous: undefined, random: () => 0.999 })).toBeLessThan(Infinity);
  });

  it.each(nonsense)('refuses %o when made', (options) => {
    expect(() => fullJitter(options)).toThrow(expect.toSatisfy(isUsageError));
    expect(() => fullJitter(options)).toThrow(/^fullJitter: /);
  });
});
