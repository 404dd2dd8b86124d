import { createHash } from 'node:crypto';
import { property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/request/sha256.js';
import { forAll } from '../support/forAll.js';

const expected = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('sha256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('of %j is that of FIPS 180-4', (text, hash) => {
    expect(sha256(text)).toBe(hash);
  });

  it('is right at every length around its blocks', () => {
    const texts = Array.from({ length: 200 }, (_, length) => 'x'.repeat(length));
    expect(texts.map(sha256)).toEqual(texts.map(expected));
  });

  it('is right for any text', () => {
    forAll(property(string({ unit: 'binary', maxLength: 300 }), (text) => sha256(text) === expected(text)));
  });
});
