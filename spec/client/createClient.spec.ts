import { firstValueFrom, NEVER, type Observable, of, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createClient, HttpRequest, type Interceptor, policies, UsageError } from 'coldfetch';
import { marbles, reply } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';
import { BASE, client } from './createClient.support.js';

describe('createClient', () => {
  it.each([
    ['users', 'https://api.test/v2', 'https://api.test/v2/users'],
    ['users', 'https://api.test/v2/', 'https://api.test/v2/users'],
    ['/users', 'https://api.test/v2/', 'https://api.test/v2/users'],
    ['/users', 'https://api.test', 'https://api.test/users'],
    ['//evil.test/users', 'https://api.test/v2', 'https://api.test/v2/evil.test/users'],
    ['\\\\evil.test', 'https://api.test/v2', 'https://api.test/v2/evil.test'],
    ['https://other.test/users', 'https://api.test/v2', 'https://other.test/users'],
    ['?page=2', 'https://api.test/v2', 'https://api.test/v2?page=2'],
    ['', 'https://api.test/v2', 'https://api.test/v2'],
  ])('sends %s below %s to %s', (url, baseUrl, expected) => {
    const { http, sent } = client({ baseUrl });
    http.get(url).subscribe();
    expect(sent()).toEqual([`GET ${expected}`]);
  });

  it.each(['../admin', 'a/../../admin', '%2e%2e/admin', '/.%2E/admin', '..\\admin', 'a/..%2f..%2fadmin', '..%5cadmin'])(
    'refuses %s, which leaves the base URL',
    async (url) => {
      const { http, fetch } = client();
      expect(await errorOf(http.get(url))).toBeInstanceOf(UsageError);
      expect(fetch.requests).toEqual([]);
    },
  );

  it.each([undefined, 5, { url: 'x' }, new Request('https://api.test/')])(
    'refuses to send %o, which is no HttpRequest',
    async (request) => {
      const error = await errorOf(client().http.request(request as never));
      expect(error).toBeInstanceOf(UsageError);
      expect((error as Error).message).toBe("request takes an HttpRequest; give new HttpRequest('GET', url), or use get(url)");
    },
  );

  it('sends nothing before the subscription, and anew for each', () => {
    const { http, fetch } = client();
    const users$ = http.get('users');
    expect(fetch.requests).toHaveLength(0);
    users$.subscribe();
    users$.subscribe();
    expect(fetch.requests).toHaveLength(2);
  });

  it.each(['get', 'head', 'options', 'delete', 'post', 'put', 'patch'] as const)('has %s', (method) => {
    const { http, sent } = client();
    const send: (url: string) => Observable<unknown> = http[method];
    send('users').subscribe();
    expect(sent()).toEqual([`${method.toUpperCase()} https://api.test/v2/users`]);
  });

  it('sends query parameters behind those of the URL', () => {
    const { http, sent } = client();
    http.get('users?a=1#top', { params: { b: [2, 3], c: true, d: undefined, e: null, f: 'x y' } }).subscribe();
    expect(sent()).toEqual(['GET https://api.test/v2/users?a=1&b=2&b=3&c=true&f=x+y#top']);
  });

  describe('the policy', () => {
    it('is standard unless told otherwise', () =>
      marbles(({ expect$ }) => {
        const { http } = client({}, [reply(429, { headers: { 'retry-after': '3' } }), reply(200, { json: 1 })]);
        expect$(http.post('users', {})).toBeMarbles('3s (a|)', { a: 1 });
      }));

    it('is that of the request before that of the client; false retries nothing', () =>
      marbles(({ expect$ }) => {
        const { http } = client({ retry: false }, [503, 503, reply(200, { json: 1 })]);
        expect$(http.get('users')).toFailWith({ status: 503 });
        expect$(http.get('users', { retry: policies.upload })).toBeMarbles('1s (a|)', { a: 1 });
      }));

    it('hands its timeout down, unless the client or the request has one', () =>
      marbles(({ expect$ }) => {
        const retry = { ...policies.upload, timeout: 5, rules: {} };
        const one = client({ retry }, ['hang']).http;
        const two = client({ retry, timeout: 7 }, ['hang', 'hang']).http;
        expect$(one.get('users')).toBeMarbles('             5ms #', undefined, { name: 'TimeoutError', timeout: 5 });
        expect$(two.get('users')).toBeMarbles('             7ms #', undefined, { name: 'TimeoutError', timeout: 7 });
        expect$(two.get('users', { timeout: 9 })).toBeMarbles('9ms #', undefined, { name: 'TimeoutError', timeout: 9 });
      }));

    it('has a deadline over everything', () =>
      marbles(({ expect$ }) => {
        const { http } = client({ retry: { ...policies.upload, deadline: 5000 } }, [503, 'hang']);
        expect$(http.get('users')).toBeMarbles('5s #', undefined, { name: 'DeadlineError' });
      }));
  });

  describe('stopping', () => {
    it('subscribes abort$ once for the operation', () =>
      marbles(({ cold, expect$ }) => {
        const abort$ = cold('9s a');
        const { http } = client({ retry: policies.upload }, [503, 503, reply(200, { json: 1 })]);
        expect$(http.get('users', { abort$ })).toBeMarbles('3s (a|)', { a: 1 });
        expect$(abort$).toHaveSubscriptions('^ 2999ms !');
      }));

    it.each([
      ['in an attempt', ['hang']],
      ['in a wait', [reply(429, { headers: { 'retry-after': '9' } })]],
      ['in a body', [reply(200, { chunks: 'a' })]],
      ['in the body of an error', [reply(404, { chunks: 'a' })]],
    ] as const)('%s completes by abort$ and fails by a signal with its reason', (_, [answer]) =>
      marbles(({ cold, expect$ }) => {
        const controller = new AbortController();
        const reason = Object.assign(new Error('busy'), { status: 503, headers: new Headers() });
        timer(100).subscribe(() => controller.abort(reason));
        const { http } = client({}, [answer, answer]);
        expect$(http.get('users', { abort$: cold('100ms a') })).toBeMarbles('100ms |');
        expect$(http.get('users', { signal: controller.signal })).toBeMarbles('100ms #', undefined, reason);
      }),
    );

    it('before the start sends nothing', () => {
      const { http, fetch } = client();
      const seen: string[] = [];
      const log = (what: string) => ({
        next: () => seen.push('next'),
        error: () => seen.push(`${what} error`),
        complete: () => seen.push(`${what} complete`),
      });
      http.get('users', { signal: AbortSignal.abort() }).subscribe(log('signal'));
      http.get('users', { abort$: of(1) }).subscribe(log('abort$'));
      http.request(new HttpRequest('GET', 'users', { abort$: of(1) })).subscribe(log('request'));
      expect([fetch.requests.length, seen]).toEqual([0, ['signal error', 'abort$ complete', 'request complete']]);
    });

    it('by unsubscribing aborts what is under way', () =>
      marbles(({ expect$ }) => {
        const { http, fetch } = client({}, ['hang']);
        expect$(http.get('users'), '^ 4ms !').toBeMarbles('');
        expect$(fetch).toHaveRequests('a', { a: { abortedAt: 5 } });
      }));
  });

  describe('interceptors', () => {
    const logging =
      (log: string[], name: string): Interceptor =>
      (request, next) =>
        next(request).pipe(tap({ subscribe: () => log.push(`${name} ${request.attempt}`) }));

    it('see each operation once, attempt interceptors every attempt', () =>
      marbles(({ expect$, flush }) => {
        const log: string[] = [];
        const { http } = client(
          {
            retry: policies.upload,
            interceptors: [logging(log, 'first'), logging(log, 'second')],
            attemptInterceptors: [logging(log, 'attempt')],
          },
          [503, reply(200, { json: 1 })],
        );
        expect$(http.get('users')).toBeMarbles('1s (a|)', { a: 1 });
        flush();
        expect(log.toSorted()).toEqual(['attempt 1', 'attempt 2', 'first 1', 'second 1']);
      }));

    it('may answer by themselves', async () => {
      const cached: Interceptor = ({ url, attempt }) =>
        of({ type: 'response', attempt, status: 200, headers: new Headers(), url, body: 'mine' });
      const { http, fetch } = client({ interceptors: [cached] });
      expect(await firstValueFrom(http.get('users'))).toBe('mine');
      expect(fetch.requests).toEqual([]);
    });

    it('fail the operation by throwing, without a secret of a refused header', async () => {
      const { http } = client({ interceptors: [(request, next) => next(request.clone({ setHeaders: { 'x-key': 'a\ns3cret' } }))] });
      const error = await errorOf(http.get('users'));
      expect(error).toBeInstanceOf(UsageError);
      expect(String(error)).not.toContain('s3cret');
    });
  });

  it('never times out while nothing can be counted', () =>
    marbles(({ expect$ }) => {
      const http = createClient({ fetch: () => NEVER, timeout: Infinity });
      expect$(http.get(BASE), '^ 60m !').toBeMarbles('');
    }));
});
