import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cacheKey, variantKey } from '../../../src/read/cache/cacheKey.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const url = 'https://api.test/users';

describe('cacheKey', () => {
  it('has the SHA-256 of the credentials, and no credential', () => {
    const key = cacheKey('GET', url, new Headers({ authorization: 'Bearer s3cret', accept: '*/*' }), false);
    expect(key).toBe(`GET ${url} ${sha256('authorization:Bearer s3cret')}`);
  });

  it('has no credentials in a shared cache, or without any', () => {
    expect(cacheKey('GET', url, new Headers({ authorization: 'Bearer s3cret' }), true)).toBe(`GET ${url}`);
    expect(cacheKey('GET', url, new Headers(), false)).toBe(`GET ${url}`);
  });
});

describe('variantKey', () => {
  it('has the SHA-256 of the fields that select the answer', () => {
    expect(variantKey('key', ['x-user'], new Headers({ 'x-user': 'ada' }))).toBe(`key ~${sha256('x-user:+ada')}`);
  });
});
