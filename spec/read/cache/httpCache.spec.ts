import { describe, expect, it } from 'vitest';
import { httpCache } from '../../../src/read/cache/httpCache.js';
import { memoryCache } from '../../../src/read/cache/memoryCache.js';
import { isHttpError } from '../../../src/request/errors/HttpError.js';
import { isUsageError } from '../../../src/request/errors/UsageError.js';
import type { FetchOptions, HttpRequestInit, ResponseType } from '../../../src/request/HttpRequest.js';
import { failureOf } from '../../support/failureOf.js';
import { ask, fresh, get, origin, ROWS, virtually } from '../support/origin.js';

describe('httpCache', () => {
  it('answers a fresh read at once, with one response event', () => {
    virtually((at) => {
      const interceptor = httpCache();
      const api = origin({ ...fresh, body: 'first' });
      expect(ask(interceptor, api, get(ROWS)).events.map(({ type }) => type)).toEqual(['sent', 'headers', 'response']);
      at(30_000, () => {
        const { events, completed } = ask(interceptor, api, get(ROWS));
        expect(events).toMatchObject([
          { type: 'response', attempt: 1, status: 200, url: ROWS, body: 'first', cacheStatus: 'coldfetch; hit; ttl=30' },
        ]);
        expect(events[0]).toHaveProperty('headers');
        expect(completed).toBe(true);
        expect(api.requests).toHaveLength(1);
      });
    });
  });

  it('says in cache-status and age what it did, behind what other caches said', () => {
    virtually((at) => {
      const interceptor = httpCache();
      const api = origin({ headers: { 'cache-control': 'max-age=60', 'cache-status': 'cdn; hit', age: '5' } });
      expect(ask(interceptor, api, get(ROWS)).response?.headers.get('cache-status')).toBe('cdn; hit, coldfetch; fwd=uri-miss; stored');
      at(10_000, () => {
        const headers = ask(interceptor, api, get(ROWS)).response?.headers;
        expect(headers?.get('age')).toBe('15');
        expect(headers?.get('cache-status')).toBe('cdn; hit, coldfetch; hit; ttl=45');
      });
    });
  });

  it.each<[ResponseType, unknown]>([
    ['json', { n: 1 }],
    ['text', '{"n":1}'],
    ['bytes', new TextEncoder().encode('{"n":1}')],
  ])('gives one stored answer as %s', (responseType, body) => {
    const interceptor = httpCache();
    const api = origin({ ...fresh, body: '{"n":1}' });
    ask(interceptor, api, get(ROWS));
    expect(ask(interceptor, api, get(ROWS, { responseType })).response?.body).toEqual(body);
    expect(api.requests).toHaveLength(1);
  });

  it('gives everybody an answer of their own to change', () => {
    const interceptor = httpCache();
    const api = origin({ ...fresh, body: '{"n":1}' });
    const first = ask(interceptor, api, get(ROWS, { responseType: 'bytes' })).response?.body as Uint8Array;
    first.fill(0);
    const second = ask(interceptor, api, get(ROWS, { responseType: 'json' })).response?.body as { n: number };
    second.n = 7;
    expect(ask(interceptor, api, get(ROWS, { responseType: 'json' })).response?.body).toEqual({ n: 1 });
  });

  it('gives null for an answer without a body', () => {
    const interceptor = httpCache();
    const api = origin({ ...fresh, status: 204 });
    ask(interceptor, api, get(ROWS));
    expect(ask(interceptor, api, get(ROWS)).response).toMatchObject({ status: 204, body: null });
    expect(api.requests).toHaveLength(1);
  });

  it('asks the origin for bytes, and keeps what else the request says', () => {
    const api = origin(fresh);
    ask(httpCache(), api, get(ROWS, { headers: { 'x-a': '1' }, maxBytes: 10 }));
    expect(api.requests[0]).toMatchObject({ responseType: 'bytes', maxBytes: 10, url: ROWS });
    expect(api.requests[0]?.headers.get('x-a')).toBe('1');
  });

  it('knows a URL however it is written, with its query and without its fragment', () => {
    const interceptor = httpCache();
    const api = origin(fresh);
    const read = (url: string): boolean | undefined => ask(interceptor, api, get(url)).response?.cacheStatus?.includes('hit');
    expect(['https://api.example', 'https://API.example:443/', 'https://api.example/#top', 'https://api.example/?'].map(read)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    ask(interceptor, api, get('HTTPS://api.example/#here', { method: 'POST' }));
    expect(read('https://api.example/')).toBe(false);
  });

  it('does nothing before it is subscribed', () => {
    const api = origin(fresh);
    void httpCache()(get(ROWS), api.handler);
    expect(api.requests).toHaveLength(0);
  });

  describe('is passed by', () => {
    it.each<[string, HttpRequestInit & { readonly method?: string }]>([
      ['a range', { headers: { range: 'bytes=0-9' } }],
      ['a conditional request', { headers: { 'if-none-match': '"1"' } }],
      ['a request with no-store', { headers: { 'cache-control': 'no-store' } }],
      ['OPTIONS', { method: 'OPTIONS' }],
    ])('by %s', (_, init) => {
      const interceptor = httpCache();
      const api = origin(fresh);
      ask(interceptor, api, get(ROWS, { method: init.method ?? 'GET' }));
      const { response } = ask(interceptor, api, get(ROWS, init));
      expect(response?.cacheStatus).toBe('coldfetch; fwd=bypass');
      expect(api.requests).toHaveLength(2);
      expect(api.requests[1]?.responseType).toBe(init.responseType ?? 'text');
    });
  });

  describe('obeys the cache mode of fetch', () => {
    const read = (mode: string): { status: string | undefined; error: unknown } => {
      const interceptor = httpCache();
      const api = origin({ headers: { 'cache-control': 'max-age=0', etag: '"1"' } });
      const fetchOptions: FetchOptions & { cache: string } = { cache: mode };
      if (mode !== 'only-if-cached') ask(interceptor, api, get(ROWS));
      const { response, error } = ask(interceptor, api, get(ROWS, { fetchOptions }));
      return { status: response?.cacheStatus, error };
    };

    it.each([
      ['default', 'coldfetch; fwd=stale; stored'],
      ['no-cache', 'coldfetch; fwd=request; stored'],
      ['reload', 'coldfetch; fwd=request; stored'],
      ['no-store', 'coldfetch; fwd=bypass'],
      ['force-cache', 'coldfetch; hit; ttl=0'],
    ])('%s', (mode, status) => {
      virtually(() => expect(read(mode).status).toBe(status));
    });

    it('only-if-cached', () => {
      expect(read('only-if-cached').error).toMatchObject({ status: 504 });
    });
  });

  it('shares nothing between two caches', () => {
    const api = origin(fresh);
    ask(httpCache(), api, get(ROWS));
    ask(httpCache(), api, get(ROWS));
    expect(api.requests).toHaveLength(2);
  });

  it('keeps no failure: a 503 and a 429 are asked for again', () => {
    const interceptor = httpCache({ ttl: 60_000 });
    const api = origin(
      { status: 503, headers: { 'cache-control': 'max-age=60' } },
      { status: 429, headers: { 'cache-control': 'max-age=60' } },
      {},
    );
    expect(isHttpError(ask(interceptor, api, get(ROWS)).error)).toBe(true);
    expect(isHttpError(ask(interceptor, api, get(ROWS)).error)).toBe(true);
    expect(ask(interceptor, api, get(ROWS)).response).toBeDefined();
  });

  it.each<[string, object]>([
    ['ttl is -1; give a number, 0 or more', { ttl: -1 }],
    ['ttl is NaN; give a number, 0 or more', { ttl: NaN }],
    ['ttl is 60s; give a number, 0 or more', { ttl: '60s' }],
    ['staleIfError is -1; give a number, 0 or more', { staleIfError: -1 }],
    ['staleWhileRevalidate is NaN; give a number, 0 or more', { staleWhileRevalidate: NaN }],
    ['heuristic is -0.1; give a number, 0 or more', { heuristic: -0.1 }],
    ['maxAge is unknown; say it as ttl, in milliseconds', { maxAge: 60 }],
    ['size is unknown; say it as store: memoryCache()', memoryCache()],
    ['store is [object Object]; give memoryCache(), or { get, set, delete }', { store: { get: () => undefined } }],
  ])('refuses options: %s', (message, options) => {
    const error = failureOf(() => httpCache(options));
    expect([isUsageError(error), error.message]).toEqual([true, `httpCache: ${message}`]);
  });
});
