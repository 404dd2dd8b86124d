import { EMPTY, of, timer } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { type HttpRequest, type Interceptor, spacing, UsageError, httpCache } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';
import { client, field } from './createClient.support.js';

const retry = { random: () => 0 };

/** `authorization` with another token for each call. */
function tokens() {
  let made = 0;
  return vi.fn(() => ({ authorization: `Bearer ${++made}` }));
}

describe('header fields that a function makes', () => {
  it('are made once for each attempt', () =>
    marbles(({ expect$, flush }) => {
      const headers = tokens();
      const { http, fetch } = client({ headers, retry }, [503, 503, 200]);
      expect$(http.get('users')).toBeMarbles('(a|)', { a: null });
      flush();
      expect(fetch.requests.map(({ headers: sent }) => sent.get('authorization'))).toEqual(['Bearer 1', 'Bearer 2', 'Bearer 3']);
      expect(headers).toHaveBeenCalledTimes(3);
    }));

  it('are made again for a first attempt that was held for a second or more', () =>
    marbles(({ expect$, flush }) => {
      const { http, fetch } = client({ headers: tokens(), pace: spacing(1000) }, [200, 200]);
      expect$(http.get('users')).toBeMarbles('(a|)', { a: null });
      expect$(http.get('users')).toBeMarbles('1s (a|)', { a: null });
      flush();
      expect(fetch.requests.map(({ headers: sent }) => sent.get('authorization'))).toEqual(['Bearer 1', 'Bearer 3']);
    }));

  it('may come later, by a promise or an observable, before each attempt', async () => {
    const { http, fetch } = client({ headers: () => Promise.resolve({ authorization: 'late' }) });
    http.get('users').subscribe();
    await expect.poll(() => field(fetch, 'authorization')).toBe('late');

    marbles(({ expect$, flush }) => {
      const slow = client({ headers: () => timer(5).pipe(() => of({ authorization: 'slow' })), retry }, [503, 200]);
      expect$(slow.http.get('users')).toBeMarbles('(a|)', { a: null });
      flush();
      expect(field(slow.fetch, 'authorization', 1)).toBe('slow');
    });
  });

  it('are told of the request', () => {
    const headers = vi.fn((_: HttpRequest) => ({}));
    client({ headers })
      .http.post('users', {}, { headers: { 'x-own': '1' } })
      .subscribe();
    const [request] = headers.mock.calls[0] ?? [];
    expect([request?.method, request?.url, request?.headers.get('x-own')]).toEqual(['POST', 'https://api.test/v2/users', '1']);
  });

  it('stand under those of the request, whether set or removed', () =>
    marbles(({ expect$, flush }) => {
      const headers = () => ({ authorization: 'ours', 'x-key': 'ours', 'x-other': 'ours', 'x-absent': undefined, 'x-null': null });
      const { http, fetch } = client({ headers, retry }, [503, 200]);
      expect$(http.get('users', { headers: { 'X-Key': 'own', Authorization: null } })).toBeMarbles('(a|)', { a: null });
      flush();
      for (const { headers: sent } of fetch.requests)
        expect([...sent]).toEqual([
          ['x-key', 'own'],
          ['x-other', 'ours'],
        ]);
    }));

  it('leave alone what an interceptor has set or removed', () =>
    marbles(({ expect$, flush }) => {
      const sign: Interceptor = (request, next) => next(request.clone({ setHeaders: { authorization: 'signed', 'x-gone': null } }));
      let made = 0;
      const headers = () => ({ authorization: 'ours', 'x-gone': 'ours', 'x-count': String(++made), ...(made > 1 && { 'x-late': '1' }) });
      const { http, fetch } = client({ headers, interceptors: [sign], retry }, [503, 200]);
      expect$(http.get('users')).toBeMarbles('(a|)', { a: null });
      flush();
      expect([...(fetch.requests[1]?.headers ?? [])]).toEqual([
        ['authorization', 'signed'],
        ['x-count', '2'],
        ['x-late', '1'],
      ]);
    }));

  it('keep the type of a body, unless they name one', () => {
    for (const [made, type] of [
      [{}, 'application/json'],
      [{ 'content-type': 'application/vnd.api+json' }, 'application/vnd.api+json'],
    ] as const) {
      const { http, fetch } = client({ headers: () => made });
      http.post('users', {}).subscribe();
      expect(field(fetch, 'content-type')).toBe(type);
    }
  });

  it('do not go to another origin, and are not asked for it', () => {
    const headers = tokens();
    const { http, fetch } = client({ headers });
    http.get('https://other.test/').subscribe();
    expect([...(fetch.requests[0]?.headers ?? [])]).toEqual([]);
    expect(headers).not.toHaveBeenCalled();
  });

  it('are seen by the cache, so that nobody gets what was another’s', () => {
    let user = 'ada';
    const answers = [
      { status: 200, headers: { 'cache-control': 'max-age=60' } },
      { status: 200, headers: { 'cache-control': 'max-age=60' } },
    ].map((init) => new Response('{}', init));
    const fetch = vi.fn(() => of(answers.shift() ?? Response.error()));
    const { http } = client({ headers: () => ({ authorization: user }), cache: httpCache(), fetch });
    http.get('users').subscribe();
    user = 'grace';
    http.get('users').subscribe();
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it.each<[string, () => never]>([
    ['headers: the observable completed without a value', () => EMPTY as never],
    ['createClient: headers: "x-key" cannot be sent', () => ({ 'x-key': 'a\nb' }) as never],
    [
      'logged out',
      () => {
        throw new Error('logged out');
      },
    ],
  ])('fail the operation: %s', async (message, headers) => {
    const { http, fetch } = client({ headers });
    expect(String(await errorOf(http.get('users')))).toContain(message);
    expect(fetch.requests).toEqual([]);
  });

  it('are refused where they are neither fields nor a function', () => {
    expect(() => client({ headers: { 'x key': '1' } })).toThrow(UsageError);
  });
});
