import { describe, expect, it } from 'vitest';
import { known } from '../../src/request/known.js';

describe('known', () => {
  it('leaves out what is undefined, and nothing else', () => {
    const fields = known({ a: undefined, b: null, c: 0, d: '', e: false });
    expect(Object.entries(fields)).toEqual([
      ['b', null],
      ['c', 0],
      ['d', ''],
      ['e', false],
    ]);
  });
});
