import { describe, expect, it } from 'vitest';
import { originOf } from '../../src/request/originOf.js';

describe('originOf', () => {
  it.each([
    ['https://API.test:443/a?b#c', 'https://api.test'],
    ['http://me:secret@api.test:8080/', 'http://api.test:8080'],
    ['https://api.test.evil.test/a', 'https://api.test.evil.test'],
    ['/users', undefined],
    ['api.test/users', undefined],
    ['', undefined],
  ])('of %s: %s', (url, origin) => {
    expect(originOf(url)).toBe(origin);
  });
});
