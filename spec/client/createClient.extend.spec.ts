import { of } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, type HttpClient, type Interceptor, policies, httpCache } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { client, field } from './createClient.support.js';

const tag =
  (value: string): Interceptor =>
  (request, next) =>
    next(request.clone({ setHeaders: { 'x-tags': `${request.headers.get('x-tags') ?? ''}${value}` } }));

describe('a client that extends another', () => {
  it('has its options, and the new ones on top', () => {
    const { http, fetch, sent } = client({
      headers: { 'x-base': '1', 'x-both': 'base' },
    });
    const more = http.extend({ headers: { 'X-Both': 'more' }, baseUrl: 'https://more.test' });
    more.get('users').subscribe();
    http.get('users').subscribe();
    expect(sent()).toEqual(['GET https://more.test/users', 'GET https://api.test/v2/users']);
    expect([...(fetch.requests[0]?.headers ?? [])]).toEqual([
      ['x-base', '1'],
      ['x-both', 'more'],
    ]);
    expect(field(fetch, 'x-both', 1)).toBe('base');
  });

  it('has the options of fetch of both', () => {
    const fetch = vi.fn(() => of(new Response()));
    const { http } = client({ fetch, fetchOptions: { mode: 'cors', credentials: 'include' } });
    http
      .extend({ fetchOptions: { credentials: 'omit' } })
      .get('users')
      .subscribe();
    expect(fetch).toHaveBeenCalledWith('https://api.test/v2/users', expect.objectContaining({ mode: 'cors', credentials: 'omit' }));
  });

  it('takes a header field away by null', () => {
    const { http, fetch } = client({ headers: { authorization: 'a', 'x-base': '1' } });
    http
      .extend({ headers: { Authorization: null } })
      .get('users')
      .subscribe();
    expect([...(fetch.requests[0]?.headers ?? [])]).toEqual([['x-base', '1']]);
  });

  it.each<[string, ClientOptions['headers'], ClientOptions['headers']]>([
    ['below', () => ({ 'x-base': '1', 'x-both': 'base' }), { 'x-both': 'more' }],
    ['above', { 'x-base': '1', 'x-both': 'base' }, () => ({ 'x-both': 'more' })],
    ['both', () => Promise.resolve(new Headers({ 'x-base': '1', 'x-both': 'base' })), () => [['x-both', 'more']]],
  ])('merges header fields that a function makes: %s', async (_, base, headers) => {
    const { http, fetch } = client({ headers: base });
    await new Promise((resolve) => http.extend({ headers }).get('users').subscribe(resolve));
    expect([...(fetch.requests[0]?.headers ?? [])]).toEqual([
      ['x-base', '1'],
      ['x-both', 'more'],
    ]);
  });

  it('passes its interceptors, then the new ones', () => {
    const { http, fetch } = client({ interceptors: [tag('a')], attemptInterceptors: [tag('c')] });
    http
      .extend({ interceptors: [tag('b')], attemptInterceptors: [tag('d')] })
      .get('users')
      .subscribe();
    expect(field(fetch, 'x-tags')).toBe('abcd');
  });

  it('changes the policy field by field, or takes it away', () =>
    marbles(({ expect$, flush }) => {
      const { http, fetch } = client({ retry: { ...policies.upload, deadline: 1500 } }, [503, 503, 200, 503]);
      expect$(http.extend({ retry: { deadline: Infinity } }).get('users')).toBeMarbles('3s (a|)', { a: null });
      flush();
      http
        .extend({ retry: false })
        .get('users')
        .subscribe({ error: () => undefined });
      expect(fetch.requests).toHaveLength(4);
    }));

  it('keeps what an option that is undefined would replace', () => {
    const { http, sent } = client();
    http.extend({ baseUrl: undefined }).get('users').subscribe();
    expect(sent()).toEqual(['GET https://api.test/v2/users']);
  });

  it('is held at the same gate', () =>
    marbles(({ expect$, flush }) => {
      const { http, fetch } = client({ retry: policies.upload }, [reply(429, { headers: { 'retry-after': '5' } }), 200, 200]);
      expect$(http.get('a')).toBeMarbles('5s (a|)', { a: null });
      expect$(http.extend({}).get('a')).toBeMarbles('5s (a|)', { a: null });
      flush();
      expect(fetch.requests).toHaveLength(3);
    }));

  it('reads from the same cache', () => {
    const { http, fetch } = client({ cache: httpCache({ ttl: 60_000 }) });
    http.get('users').subscribe();
    http.extend({}).get('users').subscribe();
    expect(fetch.requests).toHaveLength(1);
  });

  it('refuses options that are none', () => {
    const { http } = client();
    expect(() => http.extend(undefined as never)).toThrow('extend: the argument is undefined; give an object of options');
    expect(() => http.extend({ prefixUrl: '/' } as never)).toThrow('prefixUrl is unknown; say it as baseUrl');
  });

  it('sends by another fetch or transport', () => {
    const other = scriptedFetch([reply(200)]);
    const base: HttpClient = createClient({ baseUrl: 'https://api.test', transport: () => [] as never });
    base.extend({ fetch: other }).get('users').subscribe();
    expect(other.requests).toHaveLength(1);
  });
});
