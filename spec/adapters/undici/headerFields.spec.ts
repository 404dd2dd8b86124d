import { describe, expect, it } from 'vitest';
import { parsedFields, responseFields } from '../../../src/adapters/undici/headerFields.js';

const raw = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text));

describe('responseFields', () => {
  it('takes each byte of a value for a character, as fetch does', () => {
    expect(responseFields(raw('X-City', 'Köln')).get('x-city')).toBe('KÃ¶ln');
  });

  it('keeps fields that come several times', () => {
    const headers = responseFields(raw('set-cookie', 'a=1', 'Set-Cookie', 'b=2', 'vary', 'a', 'vary', 'b'));
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(headers.get('vary')).toBe('a, b');
  });

  it('reads a record, as HTTP/2 gives it in some versions, without pseudo-header fields', () => {
    const headers = responseFields({ ':status': '200', 'set-cookie': ['a=1', 'b=2'], 'x-city': 'KÃ¶ln', 'x-none': undefined });
    expect([...headers]).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-city', 'KÃ¶ln'],
    ]);
  });

  it('takes back the UTF-8 that undici has read', () => {
    expect(parsedFields({ 'x-city': 'Köln' }, true).get('x-city')).toBe('KÃ¶ln');
  });
});
