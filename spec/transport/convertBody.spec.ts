import { describe, expect, it } from 'vitest';
import { isBodyError } from 'coldfetch';
import { convertBody, parseJson } from '../../src/transport/convertBody.js';
import { failureOf } from '../support/failureOf.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('convertBody', () => {
  it.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    ['null', null],
    ['', null],
    [' \n', null],
    ['\u{feff}[1]', [1]],
  ])('reads JSON, empty as null: %j', (json, value) => {
    expect(convertBody(bytes(json), 'json')).toEqual(value);
  });

  it('reads text as UTF-8, what is none of it as replacement characters, as fetch does', () => {
    expect(convertBody(bytes('grüße'), 'text')).toBe('grüße');
    expect(convertBody(Uint8Array.of(0xff, 0x61), 'text')).toBe('\u{fffd}a');
  });

  it('makes a Blob of the answer’s type', async () => {
    const blob = convertBody(bytes('x'), 'blob', new Headers({ 'content-type': 'image/png' })) as Blob;
    expect([blob.type, await blob.text()]).toEqual(['image/png', 'x']);
    expect((convertBody(bytes('x'), 'blob') as Blob).type).toBe('');
  });

  it('gives the very bytes', () => {
    const body = bytes('x');
    expect(convertBody(body, 'bytes')).toBe(body);
  });
});

describe('parseJson', () => {
  it('says how long what is not JSON is, never what it says', () => {
    const error = failureOf(() => parseJson('secret=1234567890ab'));
    expect(isBodyError(error)).toBe(true);
    expect(error.message).toBe("The body is not JSON (19 characters); ask for responseType 'text' to see it");
  });
});
