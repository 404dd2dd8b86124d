import { describe, expect, it } from 'vitest';
import { formatBytes, formatDuration } from '../../../src/cli/report/format.js';

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 KB'],
    [73_400, '73 KB'],
    [2_233_052, '2.2 MB'],
    [5e12, '5000 GB'],
  ])('%d: %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0.0 s'],
    [9_940, '9.9 s'],
    [12_300, '12 s'],
    [59_600, '1 min'],
    [125_000, '2 min 5 s'],
  ])('%d ms: %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
