import { describe, expect, it } from 'vitest';
import { isComplete } from '../../../src/read/cache/isComplete.js';

const JSON_TEXT = '{"rows":[1,2,3]}';

function complete(headers: Readonly<Record<string, string>>, text: string | null, method = 'GET'): boolean {
  const body = text === null ? null : new TextEncoder().encode(text);
  const answer = { kind: 'answer', status: 200, url: '', headers: Object.entries(headers), sentAt: 0, receivedAt: 0, body } as const;
  return isComplete(answer, method);
}

describe('isComplete', () => {
  it.each([
    ['a shorter body than was promised', { 'content-length': '17' }, JSON_TEXT],
    ['a shorter one without a coding', { 'content-length': '17', 'content-encoding': 'identity' }, JSON_TEXT],
    ['compressed JSON that is cut', { 'content-encoding': 'gzip', 'content-type': 'application/json' }, JSON_TEXT.slice(0, 9)],
    ['compressed JSON of which nothing is left', { 'content-encoding': 'br', 'content-type': 'application/json; charset=utf-8' }, ''],
    ['text that only the end of the connection ends', { connection: 'close', 'content-type': 'text/plain' }, 'half of'],
    ['such text, compressed', { connection: 'close', 'content-encoding': 'gzip', 'content-type': 'text/plain' }, 'half of'],
    ['such JSON that is cut', { connection: 'close', 'content-type': 'application/json' }, '[1,'],
    ['JSON of a type of its own', { 'content-encoding': 'gzip', 'content-type': 'application/vnd.api+json' }, '[1,'],
  ])('knows %s', (_case, headers, text) => {
    expect(complete(headers, text)).toBe(false);
  });

  it.each([
    ['a body as long as promised', { 'content-length': '16' }, JSON_TEXT],
    ['a longer one, whose coding a fetch has hidden', { 'content-length': '15' }, JSON_TEXT],
    ['a body without a promise', {}, JSON_TEXT],
    ['no body', { 'content-length': '16' }, null],
    [
      'compressed JSON that parses, whatever its encoded length',
      { 'content-length': '9', 'content-encoding': 'gzip', 'content-type': 'application/json' },
      JSON_TEXT,
    ],
    ['compressed text, of which nothing is known', { 'content-encoding': 'gzip', 'content-type': 'text/plain' }, 'half of'],
    ['JSON as it came, which HTTP has checked', { 'content-type': 'application/json' }, '{'],
    ['JSON that the end of the connection ends, but that parses', { connection: 'close', 'content-type': 'application/json' }, '[1]'],
    ['text in chunks before the connection ends', { connection: 'close', 'transfer-encoding': 'chunked' }, 'text'],
    ['text of a known length before it ends', { connection: 'close', 'content-length': '4' }, 'text'],
    ['a length that is none', { 'content-length': '5, 5' }, JSON_TEXT],
  ])('takes for complete %s', (_case, headers, text) => {
    expect(complete(headers, text)).toBe(true);
  });

  it('does not measure the answer to a HEAD', () => {
    expect(complete({ 'content-length': '16' }, '', 'HEAD')).toBe(true);
  });
});
