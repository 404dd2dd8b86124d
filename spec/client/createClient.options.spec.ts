import { lastValueFrom, of } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, type HttpClient, UsageError, httpCache } from 'coldfetch';
import { errorOf } from '../support/errorOf.js';
import { client } from './createClient.support.js';

describe('createClient', () => {
  it('refuses what nobody can observe', async () => {
    const { http, fetch } = client();
    const error = await errorOf(http.get('https://api.test/users?key=s3cret', { observe: 'evnts' as never }));
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toBe('GET https://api.test/users: observe is evnts; give one of body, response, events');
    expect(fetch.requests).toEqual([]);
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
});

describe('createClient refuses at once', () => {
  it.each<[string, ClientOptions]>([
    ['retry is yes', { retry: 'yes' as never }],
    ['deadline is 0', { deadline: 0 }],
    ['pace is true', { pace: true as never }],
    ['fetch is https://api.test', { fetch: 'https://api.test' as never }],
    ['timeout is -1', { timeout: -1 }],
    ['maxBytes is NaN', { maxBytes: NaN }],
    ['cache is 60', { cache: 60 as never }],
    ['cache is true', { cache: true as never }],
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
    expect(() => createClient(null as never)).toThrow('createClient: the argument is null; give an object of options');
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
    return { http: createClient({ fetch }), fetch };
  };

  it.each<[string, object | null]>([
    ['header is unknown; there are headers, body', { header: {} }],
    ['withCredentials is unknown; say it as fetchOptions:', { withCredentials: true }],
    ['reportProgress is unknown; say it as observe:', { reportProgress: true }],
    ['the argument is null; give an object of options', null],
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
    ['its own with true', { cache: httpCache() }, 1],
    ['its own with options', { cache: httpCache({ ttl: 1000 }) }, 1],
  ])('is %s', async (_, options, sent) => {
    const fetch = vi.fn(() => of(new Response('[]', { headers: { 'cache-control': 'max-age=60' } })));
    const http = createClient({ fetch, ...options });
    for (let n = 0; n < 2; n++) await lastValueFrom(http.get('https://api.test/users'));
    expect(fetch).toHaveBeenCalledTimes(sent);
  });
});
