import { describe, expect, it } from 'vitest';
import { linearTicks } from '../../../src/timeline/svg/linearAxis.js';

const labels = (from: number, until: number, width = 600): string[] => linearTicks(from, until, width, 12).map(({ label }) => label);

describe('linearTicks', () => {
  it.each<[string, number, number, string[]]>([
    ['a short upload', 0, 900, ['0 s', '0.1 s', '0.2 s', '0.3 s', '0.4 s', '0.5 s', '0.6 s', '0.7 s', '0.8 s', '0.9 s']],
    ['minutes', 0, 600_000, ['0 s', '2 min', '4 min', '6 min', '8 min', '10 min']],
    ['a part from close by', 60_010, 60_020, ['60.010 s', '60.012 s', '60.014 s', '60.016 s', '60.018 s', '60.020 s']],
    ['days', 0, 3 * 86_400_000, ['0 s', '12 h', '24 h', '36 h', '48 h', '60 h', '72 h']],
  ])('has round times for %s', (_case, from, until, expected) => {
    expect(labels(from, until)).toEqual(expected);
  });

  it.each([300, 600, 1200])('leaves room between labels at %i px, however long the time', (width) => {
    for (let length = 3; length < 1e11; length *= 1.7) {
      const ticks = linearTicks(length * 0.3, length * 1.3, width, 12);
      const gaps = ticks.slice(1).map(({ labelX }, i) => labelX - (ticks[i]?.labelX ?? 0));
      for (const gap of gaps) expect(gap).toBeGreaterThan(36);
      for (const { labelX } of ticks) expect([labelX >= 0, labelX <= width]).toEqual([true, true]);
    }
  });

  it('stands where its moment does', () => {
    expect(linearTicks(1000, 2000, 600, 12).map(({ moment, x }) => [moment, Math.round(x)])[1]).toEqual([1200, 120]);
  });
});
