import { mergeMap, of, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles, reply } from 'coldfetch/testing';
import { failureLines } from './failureLines.js';

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
