import { describe, expect, it } from 'vitest';
import { isCached } from '../../src/headers/isCached.js';

describe('isCached', () => {
  it.each([
    ['1', true],
    ['86400', true],
    [7, true],
    ['0', false],
    ['soon', false],
    [Symbol('age'), false],
    [null, false],
  ])('of an age of %o: %s', (age, cached) => {
    expect(isCached({ get: (name) => (name === 'age' ? (age as string) : null) })).toBe(cached);
  });
});
