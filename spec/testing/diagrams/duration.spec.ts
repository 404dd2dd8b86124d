import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/testing/diagrams/duration.js';

describe('formatDuration', () => {
  it.each([
    [0, '0ms'],
    [5, '5ms'],
    [0.5, '0.5ms'],
    [3000, '3s'],
    [3005, '3s 5ms'],
    [600_000, '10m'],
    [605_250, '10m 5s 250ms'],
    [0.1 + 0.2, '0.3ms'],
    [Infinity, 'Infinityms'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('parseDuration', () => {
  it.each([
    ['3s', 3000],
    ['1.5s', 1500],
    ['1m 30s', 90_000],
    [' 200ms ', 200],
    [250, 250],
  ])('reads %s as %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '3', '3 s', 'soon', '-3s', '3h'])('refuses %j', (text) => {
    expect(() => parseDuration(text)).toThrow(`'${text}' is no duration: write milliseconds as a number, or amounts with units`);
  });
});
