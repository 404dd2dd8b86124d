import { isUsageError } from 'coldfetch';
import { describe, expect, it } from 'vitest';
import { originOf, type Params, resolveUrl, withParams } from '../../src/request/urls.js';

describe('resolveUrl', () => {
  it.each([
    ['users', 'https://api.test/v2', 'https://api.test/v2/users'],
    ['./users', 'https://api.test/v2/', 'https://api.test/v2/users'],
    ['a/../b', 'https://api.test/v2', 'https://api.test/v2/b'],
    ['/', 'https://api.test/v2', 'https://api.test/v2/'],
    ['', 'https://api.test/v2/', 'https://api.test/v2/'],
    ['#top', 'https://api.test/v2', 'https://api.test/v2#top'],
    ['?a=1', 'https://api.test/v2/', 'https://api.test/v2/?a=1'],
    ['users?next=../x', 'https://api.test/v2', 'https://api.test/v2/users?next=../x'],
    ['users', 'https://api.test/v2?key=1', 'https://api.test/v2/users?key=1'],
    ['users?page=2#top', 'https://api.test/v2?key=1&tag=a%20b&tag=c', 'https://api.test/v2/users?key=1&tag=a%20b&tag=c&page=2#top'],
    ['users?key=2', 'https://api.test/v2?%6bey=1&on', 'https://api.test/v2/users?on&key=2'],
    ['?page=2', 'https://api.test/v2?key=1', 'https://api.test/v2?key=1&page=2'],
    ['', 'https://api.test/v2?key=1', 'https://api.test/v2?key=1'],
    ['https://api.test/v2/users', 'https://api.test/v2?key=1', 'https://api.test/v2/users'],
    ['///evil.test', 'https://api.test/v2', 'https://api.test/v2/evil.test'],
    ['/\\evil.test', 'https://api.test/v2', 'https://api.test/v2/evil.test'],
    ['ht\ntps://evil.test', 'https://api.test/v2', 'https://api.test/v2/https://evil.test'],
    [' https://evil.test', 'https://api.test/v2', 'https://api.test/v2/%20https://evil.test'],
    ['a..b/c..', 'https://api.test/v2', 'https://api.test/v2/a..b/c..'],
    ['a%2fb', 'https://api.test/v2', 'https://api.test/v2/a%2fb'],
    ['HTTPS://other.test/x', 'https://api.test/v2', 'HTTPS://other.test/x'],
    ['users', undefined, 'users'],
    ['/items:batchGet', 'https://api.test/v2', 'https://api.test/v2/items:batchGet'],
    ['lists/a:archive', 'https://api.test/v2', 'https://api.test/v2/lists/a:archive'],
    ['https:users', 'https://api.test/v2', 'https:users'],
    ['data:,x', 'https://api.test/v2', 'data:,x'],
  ])('%j below %s is %s', (url, base, expected) => {
    expect(resolveUrl(url, base)).toBe(expected);
  });

  it.each(['..', '../', '../v3/users', '%2e%2e/x', '.%2E/x', 'a/../../x', '..\\x', '\\..\\x', '..%2fx', 'a%2f..%2f..%2fx', '%2e%2e%5cx'])(
    '%s would leave the base: a UsageError',
    (url) => {
      expect(() => resolveUrl(url, 'https://api.test/v2')).toThrow(expect.toSatisfy(isUsageError));
    },
  );
});

describe('resolveUrl of a path that reads as a URL', () => {
  it.each([
    ['items:batchGet', 'items:batchGet reads as a URL of the scheme items:; write /items:batchGet for the path below the base URL'],
    [
      'localhost:8080/x?token=secret',
      'localhost:8080/x reads as a URL of the scheme localhost:; write /localhost:8080/x for the path below the base URL, ' +
        'or http://localhost:8080/x for that host',
    ],
  ])('%s: says how to write it', (url, message) => {
    expect(() => resolveUrl(url, 'https://api.test/v2')).toThrow(message);
    expect(() => resolveUrl(url, 'https://api.test/v2')).not.toThrow(/secret/);
  });
});

describe('withParams', () => {
  it.each([
    ['/a', undefined, '/a'],
    ['/a', {}, '/a'],
    ['/a', { b: undefined, c: null }, '/a'],
    ['/a', { b: 1 }, '/a?b=1'],
    ['/a?x=1', { b: 1 }, '/a?x=1&b=1'],
    ['/a?', { b: 1 }, '/a?b=1'],
    ['/a?x&', { b: 1 }, '/a?x&b=1'],
    ['/a#h', { b: 1 }, '/a?b=1#h'],
    ['/a', { b: [1, null, 'x y', false] }, '/a?b=1&b=x+y&b=false'],
    [
      '/a?x',
      new URLSearchParams([
        ['b', '1'],
        ['b', 'x y'],
      ]),
      '/a?x&b=1&b=x+y',
    ],
    ['/a', new URLSearchParams(), '/a'],
    ['/a', { 'ä&': '=?' }, '/a?%C3%A4%26=%3D%3F'],
  ])('%s with %o is %s', (url, params, expected) => {
    expect(withParams(url, params)).toBe(expected);
  });

  it('sends a Date as JSON has it', () => {
    expect(withParams('/a', { since: new Date(0), days: [new Date(1)] })).toBe(
      '/a?since=1970-01-01T00%3A00%3A00.000Z&days=1970-01-01T00%3A00%3A00.001Z',
    );
  });

  it.each<[string, unknown, string]>([
    [
      'an object',
      { a: 1 },
      'The query parameter filter is an object, which has no text of its own; give a string, a number or a list of them',
    ],
    ['a Map', new Map(), 'The query parameter filter is a Map, which has no text'],
    ['an invalid Date', new Date(NaN), 'The query parameter filter is an invalid Date'],
  ])('refuses what no query shows: %s', (_, filter, message) => {
    expect(() => withParams('/a', { filter } as Params)).toThrow(message);
  });
});

describe('originOf', () => {
  it.each([
    ['https://API.test:443/a?b#c', 'https://api.test'],
    ['http://me:secret@api.test:8080/', 'http://api.test:8080'],
    ['https://api.test.evil.test/a', 'https://api.test.evil.test'],
    ['/users', undefined],
    ['api.test/users', undefined],
    ['', undefined],
  ])('of %s: %s', (url, origin) => {
    expect(originOf(url)).toBe(origin);
  });
});
