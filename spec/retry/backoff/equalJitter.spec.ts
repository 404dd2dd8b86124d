import { describe, expect, it } from 'vitest';
import { equalJitter } from '../../../src/retry/backoff/equalJitter.js';
import { delays, nonsense } from './draws.js';

describe('equalJitter', () => {
  const backoff = equalJitter({ base: 1000, cap: 60_000 });

  it('waits half for sure and draws the other half', () => {
    expect(delays(backoff, 0, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(delays(backoff, 0.5, 3)).toEqual([750, 1500, 3000]);
  });

  it('stays finite at a huge index', () => {
    expect(equalJitter({ base: 1 })({ index: 1e9, previous: undefined, random: () => 0.999 })).toBeLessThan(Infinity);
  });

  it.each(nonsense)('refuses %o when made', (options) => {
    expect(() => equalJitter(options)).toThrow(/^equalJitter: /);
  });
});
