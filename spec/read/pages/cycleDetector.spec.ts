import { describe, expect, it } from 'vitest';
import { cycleDetector, cursorText } from '../../../src/read/pages/cycleDetector.js';

const circle = (): object => {
  const self: { self?: object } = {};
  self.self = self;
  return self;
};

describe('cycleDetector', () => {
  it.each<[string, unknown, unknown]>([
    ['strings', 'a', 'a'],
    ['bigints', 1n, 1n],
    ['objects', { id: 1n, at: { page: 2 } }, { id: 1n, at: { page: 2 } }],
    ['arrays', [1, 'a'], [1, 'a']],
    ['dates', new Date(0), new Date(0)],
    ['URLs', new URL('https://api.example/?page=2'), new URL('https://api.example/?page=2')],
    ['query parameters', new URLSearchParams('page=2'), new URLSearchParams('page=2')],
  ])('knows %s again by their value', (_, cursor, again) => {
    const isRepeated = cycleDetector();
    expect([isRepeated(cursor), isRepeated(again)]).toEqual([false, true]);
  });

  it.each<[string, unknown, unknown]>([
    ['a number and its text', 1, '1'],
    ['a bigint and a number', 1n, 1],
    ['query parameters', new URLSearchParams('page=2'), new URLSearchParams('page=3')],
    ['maps', new Map([['page', 2]]), new Map([['page', 3]])],
    ['circles', circle(), circle()],
  ])('does not take one for the other: %s', (_, cursor, other) => {
    const isRepeated = cycleDetector();
    expect([isRepeated(cursor), isRepeated(other)]).toEqual([false, false]);
  });

  it.each<[string, unknown]>([
    ['a map', new Map([['page', 2]])],
    ['a circle', circle()],
  ])('knows %s again if it is the same object', (_, cursor) => {
    const isRepeated = cycleDetector();
    expect([isRepeated(cursor), isRepeated(cursor)]).toEqual([false, true]);
  });

  it('remembers 1,000 cursors', () => {
    const isRepeated = cycleDetector();
    for (let page = 0; page <= 1_000; page++) isRepeated(page);
    expect(isRepeated(1)).toBe(true);
    expect(isRepeated(0)).toBe(false);
  });
});

describe('cursorText', () => {
  it('is what a message can show', () => {
    expect([cursorText('a'), cursorText(7n), cursorText({ after: 1 }), cursorText(new Map())]).toEqual([
      '"a"',
      '"7n"',
      '{"after":1}',
      undefined,
    ]);
  });
});
