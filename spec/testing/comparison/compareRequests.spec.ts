import { concatMap, from, mergeMap, of, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles, reply } from 'coldfetch/testing';
import { failureLines } from '../failureLines.js';

describe('toHaveRequests', () => {
  it('draws the requests, and says which part of one differs', () => {
    expect(
      failureLines(({ server, http, expect$ }) => {
        server.on('GET /users', [503, reply(200, { json: [] })]);
        expect$(http.get('users', { headers: { 'x-n': '1' } })).toBeMarbles('500ms (a|)', { a: [] });
        expect$(server).toHaveRequests('a 499ms b', { a: 'GET /users', b: { path: '/users', headers: { 'x-n': '2', 'x-m': null } } });
      }),
    ).toEqual([
      'expect$(received).toHaveRequests(expected)',
      '',
      'expected  a 499ms b',
      'received  a 499ms A',
      'differs           ^ headers.x-n is "1" where "2" was expected',
      '',
      'a  "GET /users"',
      'b  { path: "/users", headers: { "x-n": "2", "x-m": null } }',
      'A  { path: "/users", headers: { "x-n": "1", "x-m": null } }',
    ]);
  });

  it('takes any request where no values are given', () =>
    marbles(({ server, expect$ }) => {
      server.on('* *', [200, 200]);
      server.fetch('/a').subscribe();
      timer(3000)
        .pipe(mergeMap(() => server.fetch('/b', { method: 'PUT' })))
        .subscribe();
      expect$(server).toHaveRequests('a 2999ms b');
    }));

  it('reads a body of text, bytes, and parameters', () =>
    marbles(({ server, http, expect$ }) => {
      server.on('POST /', '- a - a - a - a', { a: 200 });
      const bodies = ['{"a":1}', new TextEncoder().encode('{"a":1}'), new URLSearchParams({ a: '1' }), new Blob(['a'])];
      expect$(from(bodies).pipe(concatMap((body) => http.post('/', body)))).toBeMarbles('-abc(d|)', { a: null, b: null, c: null, d: null });
      expect$(server).toHaveRequests('abcd', {
        a: { text: '{"a":1}', json: { a: 1 }, at: 0 },
        b: { text: '{"a":1}', json: { a: 1 }, body: bodies[1], at: 1 },
        c: { text: 'a=1', json: 'a=1', body: new URLSearchParams('a=1') },
        d: { text: undefined, json: undefined, body: bodies[3] },
      });
    }));

  it('takes Headers for header fields', () => {
    const asking = (headers: Headers) => () =>
      marbles(({ server, http, expect$ }) => {
        server.on('GET /', [200]);
        expect$(http.get('/', { headers: { 'x-a': '1', 'x-b': '2' } })).toBeMarbles('(a|)', { a: null });
        expect$(server).toHaveRequests('a', { a: { headers } });
      });
    asking(new Headers({ 'x-a': '1' }))();
    expect(asking(new Headers({ 'x-a': '2' }))).toThrow('headers.x-a is "1" where "2" was expected');
  });

  it('refuses a field that no request has, though undefined is expected of it', () => {
    expect(() =>
      marbles(({ server, expect$ }) => expect$(server).not.toHaveRequests('a', { a: { abortAt: undefined } as object })),
    ).toThrow("'a' expects 'abortAt' of a request, which has method, url, path, headers, body, text, json, at, answeredAt, abortedAt");
  });

  it('says that a request came too early, or not at all', () => {
    const asking = (expected: string) =>
      failureLines(({ server, expect$ }) => {
        server.on('* *', [200]);
        timer(2000)
          .pipe(mergeMap(() => server.fetch('/a')))
          .subscribe();
        expect$(server).toHaveRequests(expected);
      }).find((line) => line.startsWith('differs'));
    expect(asking('3s a')).toBe('differs      ^ "GET /a" came at 2s, 1s too early');
    expect(asking('')).toBe('differs      ^ "GET /a", but nothing more was expected');
    expect(asking('2s a a')).toContain('any request was expected, but nothing more came');
  });

  it('refuses an end, and what keeps no log', () => {
    expect(() => marbles(({ server, expect$ }) => expect$(server).toHaveRequests('a|'))).toThrow("has a '|', but requests have no end");
    expect(() => expect(of(1)).toHaveRequests('a')).toThrow('toHaveRequests needs a server or a scripted fetch');
  });
});
