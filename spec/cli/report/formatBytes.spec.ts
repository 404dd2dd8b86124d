import { describe, expect, it } from 'vitest';
import { formatBytes } from '../../../src/cli/report/formatBytes.js';

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
