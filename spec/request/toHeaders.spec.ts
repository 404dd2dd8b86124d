import { describe, expect, it } from 'vitest';
import { isUsageError } from 'coldfetch';

import { type HeadersInit, toHeaders } from '../../src/request/toHeaders.js';
import { failureOf } from '../support/failureOf.js';

const place = (): string => 'GET https://api.test/users';

describe('toHeaders', () => {
  it.each<[string, HeadersInit | Headers]>([
    ['a record', { 'X-A': '1' }],
    ['pairs', [['x-a', '1']]],
    ['Headers', new Headers({ 'x-a': '1' })],
  ])('takes %s', (_, given) => {
    expect([...toHeaders(given, place)]).toEqual([['x-a', '1']]);
  });

  it('copies: what happens to the caller’s own later changes nothing', () => {
    const given = new Headers({ 'x-a': '1' });
    const headers = toHeaders(given, place);
    given.set('x-a', '2');
    expect(headers.get('x-a')).toBe('1');
  });

  it.each<[string, unknown, string]>([
    ['a name with a space', { 'x a': '1' }, '"x a"'],
    ['an empty name', { '': '1' }, '""'],
    ['a value with a line break', { 'x-a': '1', authorization: 'secret\r\nx-b: 2' }, '"authorization"'],
    ['a value beyond Latin-1', [['x-a', 'secret ☃']], '"x-a"'],
    ['a pair that is none', [['x-a']], '"x-a"'],
    ['what is no pairs at all', ['x-a'], 'one of the header fields'],
  ])('refuses %s, and says which, never its value', (_, given, name) => {
    const error = failureOf(() => toHeaders(given as HeadersInit, place));
    expect(isUsageError(error)).toBe(true);
    expect(error.message).toContain(`GET https://api.test/users: ${name} cannot be sent`);
    expect(error.message).not.toContain('secret');
  });
});
