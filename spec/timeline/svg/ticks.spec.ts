import { describe, expect, it } from 'vitest';
import { ticks } from '../../../src/timeline/svg/ticks.js';

/** Labels on a linear axis of 500 px that ends with `until`. */
function labels(until: number): string[] {
  return ticks(until, (moment) => (until === 0 ? 0 : (moment / until) * 500), 500, 13).map(({ label }) => label);
}

describe('ticks', () => {
  it.each([
    [0, ['0 s']],
    [12, ['0 s', '2 ms', '4 ms', '6 ms', '8 ms', '10 ms']],
    [300, ['0 s', '50 ms', '0.1 s', '0.15 s', '0.2 s', '0.25 s', '0.3 s']],
    [4000, ['0 s', '0.5 s', '1 s', '1.5 s', '2 s', '2.5 s', '3 s', '3.5 s', '4 s']],
    [60_000, ['0 s', '10 s', '20 s', '30 s', '40 s', '50 s', '60 s']],
    [86_400_000, ['0 s', '6 h', '12 h', '18 h', '24 h']],
  ])('of %d ms are round times', (until, expected) => {
    expect(labels(until)).toEqual(expected);
  });

  it.each([1, 7, 99, 1234, 61_500, 3_700_000, 900_000_000])('of %d ms stand clear of each other, and begin with 0', (until) => {
    const placed = ticks(until, (moment) => Math.sqrt(moment / until) * 500, 500, 13);
    expect(placed[0]?.label).toBe('0 s');
    expect(placed.length).toBeLessThan(13);
    placed.slice(1).forEach(({ labelX }, i) => expect(labelX - (placed[i]?.labelX ?? 0)).toBeGreaterThan(25));
  });

  it('label the end of the axis', () => {
    const last = ticks(15_000, (moment) => (moment / 15_000) * 500, 500, 13).at(-1);
    expect(last).toMatchObject({ label: '15 s', x: 500 });
    expect(last?.labelX).toBeLessThan(500);
  });
});
