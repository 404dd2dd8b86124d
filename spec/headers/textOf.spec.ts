import { describe, expect, it } from 'vitest';
import { delaySources } from '../../src/headers/sources/delaySources.js';
import { parseRetryAfter } from '../../src/headers/parseRetryAfter.js';
import { readRateLimit } from '../../src/headers/rateLimit/readRateLimit.js';
import { textOf } from '../../src/headers/textOf.js';

describe('textOf', () => {
  it.each([
    ['3', '3'],
    [3, '3'],
    [true, 'true'],
    [['3', 5], '3, 5'],
    [null, undefined],
    [undefined, undefined],
    [Object.create(null), undefined],
    [Symbol('3'), undefined],
  ])('reads %o as %o', (value, text) => {
    expect(textOf(value)).toBe(text);
  });
});

describe('header fields whose values are no strings', () => {
  const foreign = (value: unknown): { get: (name: string) => string | null } => ({ get: () => value as string });

  it('are read where they are numbers', () => {
    expect(parseRetryAfter(3 as unknown as string, 0)).toBe(3000);
    expect(delaySources.retryAfter(foreign(3), 0)).toBe(3000);
    expect(delaySources.retryAfterMs(foreign(3), 0)).toBe(3);
    expect(
      delaySources.rateLimit(
        { get: (name) => (name === 'x-ratelimit-reset' ? 7 : name === 'x-ratelimit-remaining' ? 0 : null) as never },
        0,
      ),
    ).toBe(7000);
  });

  it.each([5, 0, -1, NaN, true, [], [3], {}, Object.create(null), Symbol('x'), 5n])('never make a reader throw: %o', (value) => {
    expect(() => {
      for (const source of Object.values(delaySources)) source(foreign(value), 0);
      parseRetryAfter(value as string, 0);
      readRateLimit(foreign(value), 0);
    }).not.toThrow();
  });
});
