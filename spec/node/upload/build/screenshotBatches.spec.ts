import { describe, expect, it } from 'vitest';
import { splitByBytes } from '../../../../src/node/upload/build/screenshotBatches.js';

describe('splitByBytes', () => {
  it('keeps the order and fills each batch', () => {
    // '"aa"' and its comma are 5 bytes.
    expect(splitByBytes(['aa', 'bb', 'cc', 'dd', 'ee'], 10)).toEqual([['aa', 'bb'], ['cc', 'dd'], ['ee']]);
  });

  it('counts bytes, not characters', () => {
    expect(splitByBytes(['üü', 'üü'], 10)).toEqual([['üü'], ['üü']]);
  });

  it('gives a batch of its own to what is larger', () => {
    expect(splitByBytes(['a', 'b'.repeat(50), 'c'], 10)).toEqual([['a'], ['b'.repeat(50)], ['c']]);
  });

  it('has one batch for an empty list', () => {
    expect(splitByBytes([], 10)).toEqual([[]]);
  });
});
