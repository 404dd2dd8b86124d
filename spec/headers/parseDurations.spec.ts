import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDelaySeconds, parseGoDuration } from '../../src/headers/parseDurations.js';
import { forAll } from '../support/forAll.js';
import vectors from '../vectors/retry-after.json' with { type: 'json' };

describe('parseDelaySeconds', () => {
  it.each(vectors.cases)('reads $value as $seconds ms: $why', ({ value, seconds }) => {
    expect(parseDelaySeconds(value)).toBe(seconds ?? undefined);
  });

  it.each([null, undefined, '\u00a05', '5\n', '５'])('refuses %j', (value) => {
    expect(parseDelaySeconds(value)).toBeUndefined();
  });

  it('stays finite when the digits do not', () => {
    expect(parseDelaySeconds('9'.repeat(400))).toBe(Number.MAX_VALUE);
  });
});

describe('parseGoDuration', () => {
  it.each([
    ['0s', 0],
    ['12ms', 12],
    ['6m0s', 360_000],
    ['1h2m3.5s', 3_723_500],
    ['2m59.56s', 179_560],
    ['500us', 0.5],
    ['500µs', 0.5],
    ['500μs', 0.5],
    ['5ns', 5e-6],
  ])('reads %s', (value, ms) => {
    expect(parseGoDuration(value)).toBeCloseTo(ms, 9);
  });

  it.each([null, undefined, '', '5', '-5s', '+5s', '5 s', '5d', 's', '1.s', '.5s', '1..5s', '5S', '5s,', '5s 5s'])(
    'refuses %j',
    (value) => {
      expect(parseGoDuration(value)).toBeUndefined();
    },
  );

  it('reads whatever hours, minutes and seconds there are', () => {
    forAll(
      fc.property(fc.nat(999), fc.nat(59), fc.nat(59), (hours, minutes, seconds) => {
        const text = `${String(hours)}h${String(minutes)}m${String(seconds)}s`;
        expect(parseGoDuration(text)).toBe(((hours * 60 + minutes) * 60 + seconds) * 1000);
      }),
    );
  });

  it('stays finite', () => {
    expect(parseGoDuration(`${'9'.repeat(400)}h`)).toBe(Number.MAX_VALUE);
  });
});
