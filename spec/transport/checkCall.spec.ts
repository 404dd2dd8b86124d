import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { coldFetch, type ColdFetchInit, UsageError } from 'coldfetch';
import { reply } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';

const URL = 'https://api.test/users?token=s3cret';

function used(): ReadableStream<Uint8Array> {
  const stream = new Blob(['a']).stream();
  stream.getReader();
  return stream;
}

async function readToItsEnd(): Promise<ReadableStream<Uint8Array>> {
  const stream = new Blob(['a']).stream();
  const reader = stream.getReader();
  while (!(await reader.read()).done);
  reader.releaseLock();
  return stream;
}

describe('coldFetch refuses, before anything is sent and without a secret,', () => {
  it.each<[string, string, ColdFetchInit]>([
    ['a URL that is none', 'http://', {}],
    ['a relative URL', 'users?token=s3cret', {}],
    ['a user name in the URL', 'https://s3cret@api.test/', {}],
    ['a password in the URL', 'https://user:s3cret@api.test/', {}],
    ['a password in a URL written oddly', 'https:\\\\user:s3cret@api.test/', {}],
    ['a method that is no token', URL, { method: 'GE T' }],
    ['a method that fetch forbids', URL, { method: 'TRACE' }],
    ['a GET with a body', URL, { body: 's3cret' }],
    ['a HEAD with a body', URL, { method: 'HEAD', body: 's3cret' }],
    ['a header field with a line break', URL, { headers: { 'x-key': 'a\ns3cret' } }],
    ['a header field beyond Latin-1', URL, { headers: { 'x-key': 's3cret \u2713' } }],
    ['a header name that is none', URL, { headers: { 'x key': 's3cret' } }],
    ['header fields that are none', URL, { headers: 's3cret' as never }],
    ['a negative timeout', URL, { timeout: -1 }],
    ['a timeout that is no number', URL, { timeout: Number.NaN }],
    ['a signal that is none', URL, { signal: 's3cret' as never }],
    ['a locked stream', URL, { method: 'POST', body: used() }],
    ['a locked stream with its description', URL, { method: 'POST', body: { stream: used(), length: 1 } }],
  ])('%s', async (_, url, init) => {
    let sent = 0;
    const error = await errorOf(coldFetch(url, { ...init, fetch: () => (sent++, of(reply(200))) }));
    expect(error).toBeInstanceOf(UsageError);
    expect(sent).toBe(0);
    expect(String(error)).not.toContain('s3cret');
    expect(String(error)).not.toContain('\n');
  });

  it('a stream that was read to its end', async () => {
    const answer$ = coldFetch(URL, { method: 'POST', body: await readToItsEnd(), fetch: () => of(reply(200)) });
    expect(await errorOf(answer$)).toBeInstanceOf(UsageError);
  });

  it('a Request whose body was sent', async () => {
    const request = new Request(URL, { method: 'POST', body: 'a' });
    await request.text();
    expect(await errorOf(coldFetch(request, { fetch: () => of(reply(200)) }))).toBeInstanceOf(UsageError);
  });

  it('nothing at the call: the error channel is where errors come', () => {
    expect(() => coldFetch('users', { timeout: -1, signal: 5 as never })).not.toThrow();
  });
});

describe('coldFetch takes', () => {
  it.each<[string, string | globalThis.URL | Request, ColdFetchInit]>([
    ['a URL object', new globalThis.URL(URL), {}],
    ['a Request', new Request(URL), {}],
    ['an @ behind the host', 'https://api.test/@scope/a@b?c=d@e', {}],
    ['a path, if its own fetch knows the origin', '/users', {}],
    ['a lower-case method', URL, { method: 'post', body: 'a' }],
    ['no timeout at all', URL, { timeout: 0 }],
    ['a body that is null', URL, { body: null }],
  ])('%s', (_, input, init) => {
    const statuses: number[] = [];
    coldFetch(input, { ...init, fetch: () => of(reply(200)) }).subscribe(({ status }) => statuses.push(status));
    expect(statuses).toEqual([200]);
  });
});
