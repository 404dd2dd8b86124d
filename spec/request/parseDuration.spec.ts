import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/request/parseDuration.js';

describe('parseDuration', () => {
  it.each([
    ['0', 0],
    ['200ms', 200],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['2min', 120_000],
    ['1h', 3_600_000],
    [' 1m 30s ', 90_000],
  ])('reads %j as %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '3', '3 s', '0s 5', 'soon', '-3s', '3d', '1e3s', '.5s'])('knows no duration in %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});
