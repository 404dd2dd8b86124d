import { describe, expect, it } from 'vitest';
import { formatMarbleTime, parseMarbleTime } from '../../../src/testing/diagrams/marbleTime.js';

describe('formatMarbleTime', () => {
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
    expect(formatMarbleTime(ms)).toBe(text);
  });
});

describe('parseMarbleTime', () => {
  it.each([
    ['3s', 3000],
    ['1.5s', 1500],
    ['1m 30s', 90_000],
    ['1h', 3_600_000],
    [' 200ms ', 200],
    [250, 250],
  ])('reads %s as %d ms', (text, ms) => {
    expect(parseMarbleTime(text)).toBe(ms);
  });

  it.each(['', '3', '3 s', 'soon', '-3s', '3d'])('refuses %j', (text) => {
    expect(() => parseMarbleTime(text)).toThrow(`'${text}' is not a duration: write milliseconds as a number, or amounts with units`);
  });
});
