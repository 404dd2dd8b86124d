import { afterEach, describe, expect, it, vi } from 'vitest';
import { coldFetch, createClient, isNetworkError, isUsageError, retryAfter, retryReport, UsageError } from 'coldfetch';
import { errorOf } from '../support/errorOf.js';

const URL = 'https://api.test/users';
/** Reason of a fetch's rejection. */
const failing = (error: unknown) => () => Promise.reject(error);

describe('what the fetch of the platform rejects with', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each<[string, unknown]>([
    ['an unknown text', new TypeError('the modem caught fire')],
    ['an error of another class', new Error('internal error; reference = abc')],
    ['what is no error', 'lost'],
  ])('is a failure of the network: %s', async (_, error) => {
    vi.stubGlobal('fetch', failing(error));
    expect(isNetworkError(await errorOf(coldFetch(URL)))).toBe(true);
  });

  it.each<[string, RequestInit]>([
    ['a referrer that is no URL', { referrer: 'http://' }],
    ['a mode that is for navigation', { mode: 'navigate' }],
  ])('is bad usage where no Request can be made of the call: %s', async (_, init) => {
    const error = await errorOf(coldFetch(URL, { ...init, method: 'POST', body: 'a' }).pipe(retryAfter()));
    expect(isUsageError(error)).toBe(true);
    expect(retryReport(error)).toMatchObject({ attempts: 1, reason: 'terminal' });
  });

  it('is an error of ours where that is behind it', async () => {
    const ours = new UsageError('the file has changed');
    vi.stubGlobal('fetch', failing(new TypeError('fetch failed', { cause: ours })));
    expect(await errorOf(coldFetch(URL))).toBe(ours);
  });
});

describe('what a custom fetch rejects with', () => {
  const soon = { retry: { rules: {} } } as const;

  it.each<[string, unknown]>([
    ['an error of its own', new Error('token refresh failed')],
    ['a mistake in it', new TypeError("Cannot read properties of undefined (reading 'token')")],
    ['a full disk', Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })],
    ['what is no error', 'never mind'],
  ])('is that very error, once: %s', async (_, error) => {
    let calls = 0;
    const fetch = () => (calls++, Promise.reject(error));
    expect(await errorOf(coldFetch(URL, { fetch }).pipe(retryAfter()))).toBe(error);
    expect(await errorOf(createClient({ fetch }).get(URL))).toBe(error);
    expect(calls).toBe(2);
  });

  it.each<[string, unknown]>([
    ['of node-fetch', Object.assign(new Error('request to https://api.test/ failed'), { name: 'FetchError', code: 'ECONNRESET' })],
    ['of undici', Object.assign(new Error('other side closed'), { name: 'SocketError', code: 'UND_ERR_SOCKET' })],
    ['of a wrapper', new TypeError('Failed to fetch (api.test)')],
  ])('is a failure of the network where it has its code or words: %s', async (_, error) => {
    expect(isNetworkError(await errorOf(createClient({ fetch: failing(error), ...soon }).get(URL)))).toBe(true);
  });
});
