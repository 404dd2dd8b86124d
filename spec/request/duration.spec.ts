import { formatDuration } from 'coldfetch/timeline';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/request/duration.js';

describe('formatDuration', () => {
  it.each([
    [0, '0 s'],
    [0.2, '0 s'],
    [50, '50 ms'],
    [99.6, '0.1 s'],
    [700, '0.7 s'],
    [1250, '1.25 s'],
    [9999, '10 s'],
    [89_300, '89.3 s'],
    [119_960, '2 min'],
    [150_000, '2 min 30 s'],
    [3_599_700, '1 h'],
    [5_400_000, '1 h 30 min'],
    [Infinity, 'for ever'],
  ])('says %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

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
