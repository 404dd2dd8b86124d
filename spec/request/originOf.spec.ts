import { describe, expect, it } from 'vitest';
import { originOf, sameOrigin } from '../../src/request/originOf.js';

describe('originOf', () => {
  it.each([
    ['https://API.test:443/a?b#c', 'https://api.test'],
    ['http://me:secret@api.test:8080/', 'http://api.test:8080'],
    ['/users', undefined],
    ['api.test/users', undefined],
    ['', undefined],
  ])('of %s: %s', (url, origin) => {
    expect(originOf(url)).toBe(origin);
  });
});

describe('sameOrigin', () => {
  it.each([
    ['https://api.test/a', 'https://api.test:443/b', true],
    ['https://api.test', 'http://api.test', false],
    ['https://api.test:444', 'https://api.test', false],
    ['https://api.test.evil.test', 'https://api.test', false],
    ['users', 'https://api.test', false],
    ['users', 'users', false],
  ])('of %s and %s: %s', (url, other, expected) => {
    expect(sameOrigin(url, other)).toBe(expected);
  });
});
