import { EMPTY, map, NEVER, of, share, throwError, timer } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { DeadlineError, type HttpRequest, isHttpError, policies, unauthorized, UsageError } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';
import { client, field } from './createClient.support.js';

const retry = { random: () => 0 };
const renewing = { retry: { ...retry, rules: { unauthorized, ...policies.standard.rules } } };
const is401 = (error: unknown): boolean => isHttpError(error) && error.status === 401;

describe('beforeRetry', () => {
  it('runs before each attempt but the first, with the request and the failure before it', () =>
    marbles(({ expect$, flush }) => {
      const hook = vi.fn();
      const { http } = client({ beforeRetry: hook, retry }, [503, 502, 200]);
      expect$(http.get('users')).toBeMarbles('(a|)', { a: null });
      flush();
      expect(hook.mock.calls.map(([request, error]) => [(request as HttpRequest).attempt, (error as { status: number }).status])).toEqual([
        [2, 503],
        [3, 502],
      ]);
    }));

  it.each([
    ['at once', (request: HttpRequest) => request],
    ['by an observable', (request: HttpRequest) => of(request)],
  ])('changes the request %s', (_, give) =>
    marbles(({ expect$, flush }) => {
      const beforeRetry = (request: HttpRequest) =>
        give(request.clone({ url: 'https://other.test/users', setHeaders: { 'x-again': 'yes' } }));
      const { http, sent, fetch } = client({ beforeRetry, retry }, [503, 200]);
      expect$(http.get('users')).toBeMarbles('(a|)', { a: null });
      flush();
      expect(sent()).toEqual(['GET https://api.test/v2/users', 'GET https://other.test/users']);
      expect([field(fetch, 'x-again'), field(fetch, 'x-again', 1)]).toEqual([null, 'yes']);
    }),
  );

  it('leaves the request alone where it gives none, or completes without a value', () =>
    marbles(({ expect$, flush }) => {
      for (const beforeRetry of [() => undefined, () => EMPTY, () => of('a token')]) {
        const { http, sent } = client({ beforeRetry, retry }, [503, 200]);
        expect$(http.get('users')).toBeMarbles('(a|)', { a: null });
        flush();
        expect(sent()).toHaveLength(2);
      }
    }));

  it('is waited for, within the deadline', () =>
    marbles(({ expect$ }) => {
      const slow = client({ beforeRetry: () => timer(5000), retry }, [503, 200]);
      expect$(slow.http.get('users')).toBeMarbles('5s (a|)', { a: null });
      const stuck = client({ beforeRetry: () => NEVER, retry: { ...retry, deadline: 3000 } }, [503, 200]);
      expect$(stuck.http.get('users')).toBeMarbles('3s #', undefined, expect.any(DeadlineError));
    }));

  it('fails the operation with what it fails with', async () => {
    const lost = new Error('logged out');
    const thrown = client(
      {
        beforeRetry: () => {
          throw lost;
        },
        retry,
      },
      [503, 200],
    );
    expect(await errorOf(thrown.http.get('users'))).toBe(lost);
    const failed = client({ beforeRetry: () => throwError(() => lost), retry }, [503, 200]);
    expect(await errorOf(failed.http.get('users'))).toBe(lost);
    expect(failed.fetch.requests).toHaveLength(1);
  });

  it('is a function', () => {
    expect(() => client({ beforeRetry: 5 as never })).toThrow(UsageError);
  });
});

describe('a token that is renewed after a 401', () => {
  function session() {
    let token = 'old';
    const renew = vi.fn(() => timer(10).pipe(map(() => (token = 'new'))));
    return {
      renew,
      options: {
        headers: () => ({ authorization: token }),
        beforeRetry: (_: HttpRequest, error: unknown) => (is401(error) ? renew() : undefined),
        ...renewing,
      },
    };
  }

  it('is sent with the next attempt, at once, whatever the method', () =>
    marbles(({ expect$, flush }) => {
      const { http, fetch } = client(session().options, [401, 200]);
      expect$(http.post('users', {})).toBeMarbles('10ms (a|)', { a: null });
      flush();
      expect(fetch.requests.map(({ headers }) => headers.get('authorization'))).toEqual(['old', 'new']);
    }));

  it('is renewed once: a second 401 is final', () =>
    marbles(({ expect$, flush }) => {
      const { renew, options } = session();
      const { http, fetch } = client(options, [401, 401, 200]);
      expect$(http.get('users')).toBeMarbles('10ms #', undefined, expect.objectContaining({ status: 401 }));
      flush();
      expect(renew).toHaveBeenCalledTimes(1);
      expect(fetch.requests).toHaveLength(2);
    }));

  it('is renewed once for many requests where the renewal is shared', () =>
    marbles(({ expect$, flush }) => {
      const calls = vi.fn(() => 'new');
      const renew$ = timer(10).pipe(map(calls), share());
      const { http, fetch } = client({ beforeRetry: () => renew$, ...renewing }, [401, 401, 401, 200, 200, 200]);
      for (const path of ['a', 'b', 'c']) expect$(http.get(path)).toBeMarbles('10ms (a|)', { a: null });
      flush();
      expect(calls).toHaveBeenCalledTimes(1);
      expect(fetch.requests).toHaveLength(6);
    }));

  it('does not use up the retries of other failures', () =>
    marbles(({ expect$ }) => {
      const { http } = client({ beforeRetry: () => undefined, ...renewing }, [503, 401, 503, 503, 200]);
      expect$(http.get('users')).toBeMarbles('(a|)', { a: null });
    }));
});
