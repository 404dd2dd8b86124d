import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { policies } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { client, field } from './createClient.support.js';

describe('createClient', () => {
  describe('header fields', () => {
    const headers = { authorization: 'Bearer s3cret', accept: 'application/json' };

    it('go to the origin of the base URL, the request’s own before the client’s', () => {
      const { http, fetch } = client({ headers });
      http.get('users', { headers: { accept: 'text/plain', 'x-own': '1' } }).subscribe();
      http.get('https://api.test/elsewhere').subscribe();
      expect(['authorization', 'accept', 'x-own'].map((name) => field(fetch, name))).toEqual(['Bearer s3cret', 'text/plain', '1']);
      expect(field(fetch, 'authorization', 1)).toBe('Bearer s3cret');
    });

    it.each([
      'https://other.test/users',
      'http://api.test/users',
      'https://api.test:444/users',
      'https://api.test.evil.test/',
      'HTTPS://OTHER.test',
    ])('do not go to %s', (url) => {
      const { http, fetch } = client({ headers, requestIdHeader: 'x-id', attemptHeader: 'x-attempt', attemptInterceptors: [] });
      http.get(url, { headers: { 'x-own': '1' } }).subscribe();
      expect([...(fetch.requests[0]?.headers.keys() ?? [])]).toEqual(['x-own']);
    });

    it('are removed by null, from a record or pairs', () => {
      const { http, fetch } = client({ headers, requestIdHeader: 'x-id' });
      http.get('users', { headers: { Authorization: null, 'x-id': null } }).subscribe();
      expect(field(fetch, 'authorization')).toBeNull();
      expect(field(fetch, 'x-id')).toBeNull();
      expect(field(fetch, 'accept')).toBe('application/json');
    });

    it('of a request keep the id that the caller gave', () => {
      const { http, fetch } = client({ requestIdHeader: 'x-id' });
      http.get('users', { headers: { 'x-id': 'mine' } }).subscribe();
      expect(field(fetch, 'x-id')).toBe('mine');
    });

    it('carry one request id and the attempt, counted from 0, through all retries, whatever their rule', () =>
      marbles(({ expect$, flush }) => {
        const { http, fetch } = client(
          { requestIdHeader: 'x-id', attemptHeader: 'x-attempt', retry: policies.upload },
          [503, 429, 503, 200],
        );
        expect$(http.get('users', { observe: 'response' }).pipe(map(({ status, attempt }) => [status, attempt]))).toBeMarbles('4s (a|)', {
          a: [200, 4],
        });
        flush();
        expect(fetch.requests.map(({ headers: sent }) => sent.get('x-attempt'))).toEqual(['0', '1', '2', '3']);
        const ids = new Set(fetch.requests.map(({ headers: sent }) => sent.get('x-id')));
        expect([...ids]).toEqual([expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)]);
      }));

    it('carry another id for each subscription', () => {
      const { http, fetch } = client({ requestIdHeader: 'x-id' });
      const users$ = http.get('users');
      users$.subscribe();
      users$.subscribe();
      expect(field(fetch, 'x-id')).not.toBe(field(fetch, 'x-id', 1));
    });

    it('are none unless named', () => {
      const { http, fetch } = client();
      http.get('users').subscribe();
      expect([...(fetch.requests[0]?.headers.keys() ?? [])]).toEqual([]);
    });
  });
});
