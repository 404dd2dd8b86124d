import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { reply } from 'coldfetch/testing';
import { describeValue } from '../../../src/testing/values/describeValue.js';

/** A form with a text and a file. */
function form(): FormData {
  const made = new FormData();
  made.set('name', 'a');
  made.set('shot', new Blob(['png'], { type: 'image/png' }), 'a.png');
  return made;
}

describe('a value in one line', () => {
  it.each<[unknown, string]>([
    ['a', '"a"'],
    [-0, '-0'],
    [1n, '1n'],
    [Symbol('a'), 'Symbol(a)'],
    [() => 1, 'function'],
    [TypeError, 'class TypeError'],
    [of(1), 'Observable'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [/a/u, '/a/u'],
    [new Map([['a', 1]]), 'Map { a: 1 }'],
    [new Set([1]), 'Set [1]'],
    [new Uint8Array([1, 2]), 'Uint8Array(2) [1, 2]'],
    [new Float64Array([0.5]), 'Float64Array(1) [0.5]'],
    [new Uint8Array(20), 'Uint8Array(20) [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...]'],
    [new Uint8Array([3]).buffer, 'ArrayBuffer(1) [3]'],
    [new URL('https://api.test/a?b=1'), 'URL https://api.test/a?b=1'],
    [new URLSearchParams({ a: '1' }), 'URLSearchParams "a=1"'],
    [new Request('https://api.test/a', { method: 'PUT' }), 'Request PUT https://api.test/a'],
    [new Headers({ a: '1' }), '{ a: "1" }'],
    [new Blob(['abc'], { type: 'text/plain' }), 'Blob(3 bytes, text/plain)'],
    [new File(['abc'], 'a.txt'), 'File("a.txt", 3 bytes)'],
    [new Blob(['a']).stream(), 'ReadableStream'],
    [form(), 'FormData [["name", "a"], ["shot", File("a.png", 3 bytes, image/png)]]'],
    [reply(200, { json: 1 }), 'Response 200 { "content-type": "application/json" } "1"'],
    [expect.any(String), 'Any<String>'],
    [{ a: { b: { c: { d: 1 } } } }, '{ a: { b: { c: {...} } } }'],
    [Object.create(null), '{}'],
  ])('is %o as %s', (value, text) => {
    expect(describeValue(value)).toBe(text);
  });

  it('ends where a line does', () => {
    expect(describeValue('a'.repeat(500))).toBe(`"${'a'.repeat(116)}...`);
  });

  it('is there although a getter throws', () => {
    const value = {
      id: 1,
      get late(): number {
        throw new TypeError('not yet');
      },
    };
    expect(describeValue(value)).toBe('{ id: 1, late: (throws TypeError: not yet) }');
  });
});
