import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, isNetworkError, retryReport } from 'coldfetch';
import { pageFailure } from '../../src/transport/pageFailure.js';
import { errorOf } from '../support/errorOf.js';

const CORS = 'CORS denies this page its answer: https://api.test has to send Access-Control-Allow-Origin, to a preflight too';

describe('a failure in a page', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const from = (page: string, onLine = true): void => {
    vi.stubGlobal('location', { href: page });
    vi.stubGlobal('navigator', { onLine });
  };

  it.each([
    ['/users', 'the server cannot be reached'],
    ['https://app.test/users', 'the server cannot be reached'],
    ['https://api.test/users', `the server cannot be reached, or ${CORS}`],
    ['http://localhost:3000/', 'the server cannot be reached, or CORS'],
    ['http://127.0.0.1/', 'the server cannot be reached, or CORS'],
  ])('of %s may be: %s', (url, detail) => {
    from('https://app.test/');
    expect(pageFailure(url)).toEqual({ detail: expect.stringContaining(detail) as string });
  });

  it('is final where the page is from https and the server is not', () => {
    from('https://app.test/');
    expect(pageFailure('http://api.test/')).toEqual({ detail: 'a page from https cannot send to http', code: 'ERR_MIXED_CONTENT' });
    from('http://app.test/');
    expect(pageFailure('http://api.test/')?.code).toBeUndefined();
  });

  it('is final where the URL has a scheme that is neither of the web nor of the page', () => {
    from('app://main/');
    expect(pageFailure('gopher://api.test/')).toEqual({ detail: 'a page cannot send to the scheme gopher:', code: 'ERR_UNKNOWN_SCHEME' });
    for (const url of ['app://main/users', 'https://api.test/']) expect(pageFailure(url)?.code).toBeUndefined();
  });

  it('may be that of a stream over HTTP/1.1, and is for certain without https', () => {
    from('http://app.test/');
    expect(pageFailure('/upload', true)?.code).toBe('ERR_STREAM_NEEDS_HTTP2');
    from('https://app.test/');
    expect(pageFailure('/upload', true)?.detail).toBe(
      'the server cannot be reached, or speaks HTTP/1.1 only, over which a browser sends no stream',
    );
  });

  it('is that of a browser that is offline', () => {
    from('https://app.test/', false);
    expect(pageFailure('http://api.test/')).toEqual({ detail: 'the browser is offline' });
  });

  it('is none of a page outside of one', () => {
    expect(pageFailure('https://api.test/')).toBeUndefined();
  });

  it('is told by the NetworkError, and not retried where it is final', async () => {
    from('https://app.test/');
    const fetch = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    vi.stubGlobal('fetch', fetch);
    const error = await errorOf(createClient().get('http://api.test/users?key=s3cret'));
    expect(isNetworkError(error) && error.message).toBe(
      'GET http://api.test/users: a page from https cannot send to http (ERR_MIXED_CONTENT)',
    );
    expect(retryReport(error)).toMatchObject({ attempts: 1, reason: 'terminal' });
    expect(fetch).toHaveBeenCalledTimes(1);
    const other = await errorOf(createClient({ retry: false }).get('https://api.test/users'));
    expect((other as Error).message).toBe(`GET https://api.test/users: the server cannot be reached, or ${CORS}`);
    expect(retryReport(await errorOf(createClient().get('gopher://api.test/')))).toMatchObject({ attempts: 1, reason: 'terminal' });
  });
});
