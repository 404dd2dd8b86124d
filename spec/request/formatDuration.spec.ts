import { describe, expect, it } from 'vitest';
import { formatDuration } from 'coldfetch/timeline';

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
