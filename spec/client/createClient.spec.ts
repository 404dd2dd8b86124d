import { gzipSync } from 'node:zlib';
import { firstValueFrom, lastValueFrom, map, NEVER, type Observable, of, tap, timer, toArray } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import {
  BodyError,
  type ClientOptions,
  createClient,
  type HttpClient,
  type HttpEvent,
  HttpError,
  HttpRequest,
  type Interceptor,
  isHttpError,
  policies,
  retryReport,
  UsageError,
} from 'coldfetch';
import { marbles, reply, scriptedFetch, type ScriptedFetch, type Answer } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';
import { loopback } from '../support/loopback.js';

const BASE = 'https://api.test/v2';
/** Without a pacer: what is specified here is what one request does by itself. */
const alone = { pace: false } as const;

/** A client of a scripted fetch that answers 200 unless told otherwise. */
function client(options: ClientOptions = {}, answers: readonly Answer[] = Array.from({ length: 9 }, () => reply(200))) {
  const fetch = scriptedFetch(answers);
  const http = createClient({ baseUrl: BASE, fetch, ...options });
  return { fetch, http, sent: () => fetch.requests.map(({ method, url }) => `${method} ${url}`) };
}

/** The value of a header field of the n-th request. */
const field = ({ requests }: ScriptedFetch, name: string, n = 0): string | null | undefined => requests[n]?.headers.get(name);

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

  it('refuses what nobody can observe', async () => {
    const { http, fetch } = client();
    const error = await errorOf(http.get('https://api.test/users?key=s3cret', { observe: 'evnts' as never }));
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toBe('GET https://api.test/users: observe is evnts; give one of body, response, events');
    expect(fetch.requests).toEqual([]);
  });

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
          { requestIdHeader: 'x-id', attemptHeader: 'x-attempt', retry: policies.upload, ...alone },
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

  describe('bodies that are sent', () => {
    it.each([
      ['an object', { a: 1 }, '{"a":1}', 'application/json'],
      ['an array', [1], '[1]', 'application/json'],
      ['a number', 0, '0', 'application/json'],
      ['a boolean', false, 'false', 'application/json'],
      ['a string', 'a', 'a', null],
      ['null', null, undefined, null],
    ])('%s', (_, body, sent, type) => {
      const { http, fetch } = client();
      http.post('users', body).subscribe();
      expect([fetch.requests[0]?.body, field(fetch, 'content-type')]).toEqual([sent, type]);
    });

    it('keep a content type that the request or the client names', () => {
      const { http, fetch } = client({ headers: { 'content-type': 'application/vnd.api+json' } });
      http.post('users', {}).subscribe();
      http.post('users', {}, { headers: { 'content-type': 'application/x' } }).subscribe();
      expect([field(fetch, 'content-type'), field(fetch, 'content-type', 1)]).toEqual(['application/vnd.api+json', 'application/x']);
    });

    it('of DELETE come from its options', () => {
      const { http, fetch } = client();
      http.delete('users', { body: { ids: [1] } }).subscribe();
      expect(fetch.requests[0]?.body).toBe('{"ids":[1]}');
    });

    it('that are no JSON are refused before anything is sent', async () => {
      const { http, fetch } = client();
      const cycle: Record<string, unknown> = {};
      cycle.self = cycle;
      expect(await errorOf(http.post('users', cycle))).toBeInstanceOf(UsageError);
      expect(await errorOf(http.post('users', { count: 1n }))).toBeInstanceOf(UsageError);
      expect(await errorOf(http.get('users', { body: 'a' }))).toBeInstanceOf(UsageError);
      expect(fetch.requests).toEqual([]);
    });
  });

  describe('bodies that are read', () => {
    const read = (http: HttpClient): Promise<unknown> => firstValueFrom(http.get('users'));

    it.each([
      ['a 204', 204, {}],
      ['a 205', 205, {}],
      ['an empty one', 200, { body: '' }],
      ['a blank one', 200, { body: ' \n' }],
      ['no body at all', 200, {}],
    ])('give null for %s', async (_, status, init) => {
      expect(await read(client({}, [reply(status, init)]).http)).toBeNull();
    });

    it('give null for a HEAD, and for a 304 to a caller who sent a validator', async () => {
      const { http } = client({}, [reply(200, { headers: { 'content-length': '9' } }), reply(304)]);
      expect(await firstValueFrom(http.head('users'))).toBeNull();
      expect(await firstValueFrom(http.get('users', { headers: { 'if-none-match': '"a"' } }))).toBeNull();
    });

    it('fail with a 304 that nobody asked for', async () => {
      expect(await errorOf(client({ retry: false }, [304]).http.get('users'))).toMatchObject({ status: 304 });
    });

    it('fail with a BodyError on what is not JSON, and are not asked for again', async () => {
      const { http, fetch } = client({}, [reply(200, { body: '<html>s3cret' })]);
      const error = await errorOf(http.get('users'));
      expect(error).toBeInstanceOf(BodyError);
      expect(String(error)).not.toContain('s3cret');
      expect(retryReport(error)).toMatchObject({ attempts: 1, reason: 'terminal' });
      expect(fetch.requests).toHaveLength(1);
    });

    it.each([
      ['text', 'héllo'],
      ['bytes', new TextEncoder().encode('héllo')],
    ] as const)('are read as %s', async (responseType, expected) => {
      const { http } = client({}, [reply(200, { body: 'héllo' })]);
      expect(await firstValueFrom(http.get('users', { responseType } as { responseType: 'text' }))).toEqual(expected);
    });

    it('are read as a Blob with its type', async () => {
      const { http } = client({}, [reply(200, { body: 'a', headers: { 'content-type': 'image/png' } })]);
      const blob = await firstValueFrom(http.get('users', { responseType: 'blob' }));
      expect([blob.type, await blob.text()]).toEqual(['image/png', 'a']);
    });

    it('are handed over unread as a stream', async () => {
      const response = new Response('a');
      const http = createClient({ fetch: () => of(response) });
      const stream = await firstValueFrom(http.get(BASE, { responseType: 'stream' }));
      expect(response.bodyUsed).toBe(false);
      expect(await new Response(stream).text()).toBe('a');
    });

    it('are bounded by maxBytes', async () => {
      const { http } = client({ maxBytes: 3 }, [reply(200, { body: 'abc' }), reply(200, { body: 'abcd' }), reply(200, { body: 'abcd' })]);
      expect(await firstValueFrom(http.get('users', { responseType: 'text' }))).toBe('abc');
      expect(await errorOf(http.get('users', { responseType: 'text' }))).toBeInstanceOf(BodyError);
      expect(await firstValueFrom(http.get('users', { responseType: 'text', maxBytes: 4 }))).toBe('abcd');
    });

    // What is bounded are decoded bytes: only a real fetch decodes.
    it('are bounded by what they are decoded to', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      const { url } = await loopback((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
      const error = await errorOf(createClient({ maxBytes: 1_000_000 }).get(url, { responseType: 'bytes' }));
      expect(error).toBeInstanceOf(BodyError);
    });
  });

  describe('the body of an error', () => {
    it('is in .body, parsed if it is JSON, else as text', async () => {
      const { http } = client({}, [reply(404, { json: { code: 'missing' } }), reply(404, { body: '<p>gone' }), reply(404)]);
      expect(await errorOf(http.get('a'))).toMatchObject({ body: { code: 'missing' } });
      expect(await errorOf(http.get('b', { observe: 'response' }))).toMatchObject({ body: '<p>gone' });
      expect(await errorOf(http.get('c', { observe: 'events' }))).toMatchObject({ body: '' });
    });

    it('is cut at 64 KiB', async () => {
      const error = await errorOf(client({}, [reply(404, { body: 'x'.repeat(70_000) })]).http.get('a'));
      expect(isHttpError(error) && error.body).toBe('x'.repeat(65_536));
    });

    it('is what has come in 250 ms', () =>
      marbles(({ expect$ }) => {
        const { http } = client({}, [reply(404, { chunks: 'a 99ms b 400ms c|' })]);
        expect$(http.get('a')).toBeMarbles('250ms #', undefined, { status: 404, body: 'ab' });
      }));

    it('is not what a retried attempt had', () =>
      marbles(({ expect$ }) => {
        const { http } = client({ retry: policies.upload, ...alone }, [reply(503, { body: 'first' }), reply(404, { body: 'second' })]);
        expect$(http.get('a')).toBeMarbles('1s #', undefined, { status: 404, body: 'second' });
      }));

    it('stays unread for request()', async () => {
      const { http } = client({}, [reply(404, { body: 'gone' })]);
      const error = await errorOf(http.request(new HttpRequest('GET', 'users')));
      expect(error).toBeInstanceOf(HttpError);
      expect(isHttpError(error) && [error.body, error.response.bodyUsed]).toEqual([undefined, false]);
    });
  });

  describe('events', () => {
    it('come in their order, attempt by attempt', () =>
      marbles(({ expect$ }) => {
        const { http } = client({ retry: policies.upload, ...alone }, [
          reply(503, { body: 'busy' }),
          reply(200, { chunks: 'a 9ms b|', values: { a: '[1,', b: '2]' }, headers: { 'content-length': '5' } }),
        ]);
        const events$ = http.put('users', 'hello', { observe: 'events' }).pipe(map(brief));
        expect$(events$).toBeMarbles('(abcd) 994ms (efgi) 4ms j(k|)', {
          a: 'sent 1',
          b: 'upload 1 5/5',
          c: 'headers 1 503',
          d: 'wait 1 transient backoff 1000',
          e: 'sent 2',
          f: 'upload 2 5/5',
          g: 'headers 2 200',
          i: 'download 2 3/5',
          j: 'download 2 5/5',
          k: 'response 2 200 [1,2]',
        });
      }));

    it('end with gave-up before the error', async () => {
      const { http } = client({}, [404]);
      const events: string[] = [];
      await errorOf(http.get('users', { observe: 'events' }).pipe(tap((event) => events.push(brief(event)))));
      expect(events).toEqual(['sent 1', 'headers 1 404', 'gave-up 1 terminal']);
    });

    it('come from request() too', async () => {
      const { http } = client({}, [reply(200, { json: [] })]);
      const events = await lastValueFrom(http.request(new HttpRequest('GET', 'users')).pipe(map(brief), toArray()));
      expect(events).toEqual(['sent 1', 'headers 1 200', 'download 1 2', 'response 1 200 []']);
    });

    it('name the request id and the origin', () =>
      marbles(({ expect$ }) => {
        const { http } = client({ requestIdHeader: 'x-id', ...alone }, [reply(429, { headers: { 'retry-after': '1' } }), 404]);
        const waits$ = http
          .get('users', { observe: 'events', headers: { 'x-id': 'mine' } })
          .pipe(map((event) => ('requestId' in event ? [event.type, event.requestId, event.origin] : event.type)));
        expect$(waits$).toBeMarbles(
          '(abc) 995ms (abd#)',
          { a: 'sent', b: 'headers', c: ['wait', 'mine', 'https://api.test'], d: ['gave-up', 'mine', 'https://api.test'] },
          {
            status: 404,
          },
        );
      }));
  });

  describe('the policy', () => {
    it('is standard unless told otherwise', () =>
      marbles(({ expect$ }) => {
        const { http } = client({ ...alone }, [reply(429, { headers: { 'retry-after': '3' } }), reply(200, { json: 1 })]);
        expect$(http.post('users', {})).toBeMarbles('3s (a|)', { a: 1 });
      }));

    it('is that of the request before that of the client; false retries nothing', () =>
      marbles(({ expect$ }) => {
        const { http } = client({ retry: false, ...alone }, [503, 503, reply(200, { json: 1 })]);
        expect$(http.get('users')).toFailWith({ status: 503 });
        expect$(http.get('users', { retry: policies.upload })).toBeMarbles('1s (a|)', { a: 1 });
      }));

    it('hands its timeout down, unless the client or the request has one', () =>
      marbles(({ expect$ }) => {
        const retry = { ...policies.upload, timeout: 5, rules: {} };
        const one = client({ retry, ...alone }, ['hang']).http;
        const two = client({ retry, timeout: 7, ...alone }, ['hang', 'hang']).http;
        expect$(one.get('users')).toBeMarbles('             5ms #', undefined, { name: 'TimeoutError', timeout: 5 });
        expect$(two.get('users')).toBeMarbles('             7ms #', undefined, { name: 'TimeoutError', timeout: 7 });
        expect$(two.get('users', { timeout: 9 })).toBeMarbles('9ms #', undefined, { name: 'TimeoutError', timeout: 9 });
      }));

    it('has a deadline over everything', () =>
      marbles(({ expect$ }) => {
        const { http } = client({ retry: { ...policies.upload, deadline: 5000 }, ...alone }, [503, 'hang']);
        expect$(http.get('users')).toBeMarbles('5s #', undefined, { name: 'DeadlineError' });
      }));
  });

  describe('stopping', () => {
    it('subscribes abort$ once for the operation', () =>
      marbles(({ cold, expect$ }) => {
        const abort$ = cold('9s a');
        const { http } = client({ retry: policies.upload, ...alone }, [503, 503, reply(200, { json: 1 })]);
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
        const { http } = client({ ...alone }, [answer, answer]);
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
        const { http, fetch } = client({ ...alone }, ['hang']);
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
            ...alone,
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

  describe('refuses', () => {
    it.each([
      ['a relative base URL', { baseUrl: '/v2' }],
      ['a base URL of another scheme', { baseUrl: 'ftp://api.test' }],
      ['a base URL with a password', { baseUrl: 'https://user:s3cret@api.test' }],
      ['a bad header field', { headers: { 'x-key': 'a\ns3cret' } }],
      ['a bad name for the id', { requestIdHeader: 'x id' }],
      ['a bad name for the attempt', { attemptHeader: '' }],
      ['a policy of nonsense', { retry: { deadline: -1 } }],
      ['an interceptor that is no function', { interceptors: [5 as never] }],
      ['attempt interceptors that are no list', { attemptInterceptors: 5 as never }],
    ])('%s at construction', (_, options) => {
      expect(() => createClient(options)).toThrow(UsageError);
      expect(() => createClient(options)).not.toThrow(/s3cret/);
    });

    it.each([
      ['a relative URL without a base', (): HttpClient => createClient(), 'users', {}],
      ['a bad header field', (): HttpClient => client().http, 'users', { headers: { 'x-key': 'a\ns3cret' } }],
      ['a URL with a password', (): HttpClient => client().http, 'https://user:s3cret@api.test/', {}],
      ['a timeout that is none', (): HttpClient => client().http, 'users', { timeout: Number.NaN }],
      ['a signal that is none', (): HttpClient => client().http, 'users', { signal: 's3cret' as unknown as AbortSignal }],
      ['a policy of nonsense', (): HttpClient => client().http, 'users', { retry: { deadline: -1 } }],
    ])('%s through the error channel', async (_, make, url, options) => {
      const error = await errorOf(make().get(url, options));
      expect(error).toBeInstanceOf(UsageError);
      expect(String(error)).not.toContain('s3cret');
    });
  });

  it('never times out while nothing can be counted', () =>
    marbles(({ expect$ }) => {
      const http = createClient({ fetch: () => NEVER, timeout: Infinity, ...alone });
      expect$(http.get(BASE), '^ 60m !').toBeMarbles('');
    }));
});

/** An event in a line. */
function brief(event: HttpEvent): string {
  const start = `${event.type} ${event.attempt}`;
  switch (event.type) {
    case 'upload':
    case 'download':
      return `${start} ${event.loaded}${event.total === undefined ? '' : `/${event.total}`}`;
    case 'headers':
      return `${start} ${event.status}`;
    case 'wait':
      return `${start} ${event.kind} ${event.source} ${event.delay}`;
    case 'gave-up':
      return `${start} ${event.reason}`;
    case 'response':
      return `${start} ${event.status} ${JSON.stringify(event.body)}`;
    default:
      return start;
  }
}

describe('createClient refuses at once', () => {
  it.each<[string, ClientOptions]>([
    ['retry is 5', { retry: 5 as never }],
    ['pace is true', { pace: true as never }],
    ['fetch is https://api.test', { fetch: 'https://api.test' as never }],
    ['timeout is -1', { timeout: -1 }],
    ['maxBytes is NaN', { maxBytes: NaN }],
    ['cache is 60', { cache: 60 as never }],
  ])('%s', (message, options) => {
    expect(() => createClient(options)).toThrow(`createClient: ${message}; give`);
  });

  it.each<[string, object]>([
    ['baseURL is unknown; say it as baseUrl', { baseURL: 'https://api.test' }],
    ['timeuot is unknown; there are baseUrl, headers', { timeuot: 5 }],
    ['credentials is unknown; say it as fetchOptions: { credentials }', { credentials: 'include' }],
  ])('%s', (message, options) => {
    expect(() => createClient(options)).toThrow(`createClient: ${message}`);
  });

  it('an argument that is no object', () => {
    expect(() => createClient(null as never)).toThrow('createClient: the argument is null; give an object of options, or nothing');
  });
});

describe('a request that cannot be read', () => {
  it.each<[string, object]>([
    ['responseType is xml', { responseType: 'xml' }],
    ['maxBytes is NaN', { maxBytes: NaN }],
    ['observe is all', { observe: 'all' }],
  ])('is refused before it is sent: %s', async (message, options) => {
    const fetch = vi.fn(() => of(new Response('[]')));
    const error = await errorOf(createClient({ fetch }).get('https://api.test/users?key=s3cret', options));
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toContain(`GET https://api.test/users: ${message}; give`);
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('options of a request that nobody reads', () => {
  const client = () => {
    const fetch = vi.fn(() => of(new Response('[]')));
    return { http: createClient({ fetch, pace: false }), fetch };
  };

  it.each<[string, object | null]>([
    ['header is unknown; there are headers, body', { header: {} }],
    ['withCredentials is unknown; say it as fetchOptions:', { withCredentials: true }],
    ['reportProgress is unknown; say it as observe:', { reportProgress: true }],
    ['its options are null; give an object, or nothing', null],
  ])('are refused: %s', async (message, options) => {
    const { http, fetch } = client();
    const error = await errorOf(http.get('https://api.test/users?key=s3cret', options as never));
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toContain(`GET https://api.test/users: ${message}`);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('may be undefined, as spread options are', async () => {
    const { http } = client();
    expect(await lastValueFrom(http.get('https://api.test/users', { ...{ unknown: undefined }, timeout: undefined }))).toEqual([]);
  });
});

describe('the cache of a client', () => {
  it.each<[string, ClientOptions, number]>([
    ['none by default', {}, 2],
    ['none with false', { cache: false }, 2],
    ['its own with true', { cache: true }, 1],
    ['its own with options', { cache: { ttl: 1000 } }, 1],
  ])('is %s', async (_, options, sent) => {
    const fetch = vi.fn(() => of(new Response('[]', { headers: { 'cache-control': 'max-age=60' } })));
    const http = createClient({ fetch, ...options });
    for (let n = 0; n < 2; n++) await lastValueFrom(http.get('https://api.test/users'));
    expect(fetch).toHaveBeenCalledTimes(sent);
  });
});
