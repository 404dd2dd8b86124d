import { describe, expect, it } from 'vitest';
import { counted, printable, printableJson, printableLines } from '../../src/request/printable.js';

describe('printable', () => {
  it.each([
    ['escape sequences', '\x1b[2J\x1b]0;title\x07', '\\x1b[2J\\x1b]0;title\\x07'],
    ['C1 controls and DEL', '\x9b31m\x7f\x85', '\\x9b31m\\x7f\\x85'],
    ['line breaks of every kind', 'a\nb\r\nc\td\u2028e', 'a\\nb\\r\\nc\\td\\u2028e'],
    ['bidirectional controls', '\u202egnp.\u2066exe\u200f', '\\u202egnp.\\u2066exe\\u200f'],
  ])('shows %s as escapes', (_case, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('leaves what people write as it is', () => {
    const text = 'größer 日本語 שלום 👩‍👩‍👧 C:\\x1b  two blanks';
    expect(printable(text)).toBe(text);
  });

  it('cuts a long text between characters, and tells its length', () => {
    expect(printable('a🙂b', 2)).toBe('a… (4 characters)');
    expect(printable('x'.repeat(65_536)).length).toBeLessThan(4_100);
  });
});

describe('printableLines', () => {
  it('keeps lines and tabs, but no carriage return that would overwrite one', () => {
    expect(printableLines('a\tb\r\nc\rd\x1b[A')).toBe('a\tb\r\nc\\rd\\x1b[A');
  });
});

describe('printableJson', () => {
  it('means the same value', () => {
    const value = { 'k\x9b': ['\x1b\n', '\u202e', '\x7f', '\u2028'] };
    const json = printableJson(JSON.stringify(value, null, 2));
    expect(json).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(json)).toEqual(value);
  });
});

it('counts with a noun', () => {
  expect([counted(0, 'file'), counted(1, 'file'), counted(2, 'file')]).toEqual(['0 files', '1 file', '2 files']);
});
