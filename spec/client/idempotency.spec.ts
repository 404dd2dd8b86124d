import { EMPTY, lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type Body, type ClientOptions, createClient, HttpRequest, type RequestOptions } from 'coldfetch';
import { marbles, reply, scriptedFetch, type ScriptedReply } from 'coldfetch/testing';
import { idempotency } from '../../src/client/idempotency.js';
import { errorOf } from '../support/errorOf.js';

const random = (): number => 0.5;
/** A random UUID (RFC 9562, version 4) as a structured-field string (RFC 9651 section 3.3.3). */
const KEY = /^"[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}"$/;

function client(answers: readonly ScriptedReply[], options: ClientOptions = {}) {
  const fetch = scriptedFetch(answers);
  const http = createClient({ baseUrl: 'https://api.test', fetch, idempotency: true, retry: { random }, ...options });
  return { http, keys: () => fetch.requests.map(({ headers }) => headers.get('idempotency-key')) };
}

const created = reply(201, { json: { id: 1 } });

describe('idempotency', () => {
  it('makes one key, sends it with every attempt, and so lets a POST be sent again', () =>
    marbles(({ expect$, flush }) => {
      const { http, keys } = client([503, 'network', created]);
      expect$(http.post('/orders', { item: 7 })).toBeMarbles('1500ms (a|)', { a: { id: 1 } });
      flush();
      expect(keys()[0]).toMatch(KEY);
      expect(new Set(keys()).size).toBe(1);
    }));

  it('makes another key for each subscription', async () => {
    const { http, keys } = client([created, created]);
    const order$ = http.post('/orders', { item: 7 });
    await lastValueFrom(order$);
    await lastValueFrom(order$);
    expect(new Set(keys()).size).toBe(2);
  });

  it.each<[string, RequestOptions]>([
    ['as a header field', { headers: { 'Idempotency-Key': '"mine"' } }],
    ['whatever its form', { headers: { 'idempotency-key': 'mine' } }],
  ])('keeps the key that the caller gave %s', async (_, options) => {
    const { http, keys } = client([created]);
    await lastValueFrom(http.post('/orders', {}, options));
    expect(keys()).toEqual([new Headers(options.headers as Record<string, string>).get('idempotency-key')]);
  });

  it.each(['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS'])('makes none for %s, which may be repeated anyhow', async (method) => {
    const { http, keys } = client([200]);
    await lastValueFrom(http.request(new HttpRequest(method, '/orders')));
    expect(keys()).toEqual([null]);
  });

  it('makes one for PATCH', async () => {
    const { http, keys } = client([200]);
    await lastValueFrom(http.patch('/orders', {}));
    expect(keys()[0]).toMatch(KEY);
  });

  it('is off unless asked for', async () => {
    const { http, keys } = client([created], { idempotency: false });
    await lastValueFrom(http.post('/orders', {}));
    expect(keys()).toEqual([null]);
  });

  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const form = (text: string): FormData => {
    const data = new FormData();
    data.append('a', text);
    return data;
  };

  it.each<[string, (text: string) => Body]>([
    ['text', (text) => text],
    ['bytes', bytes],
    ['a buffer', (text) => bytes(text).buffer as ArrayBuffer],
    ['URL parameters', (text) => new URLSearchParams({ a: text })],
    ['a form', form],
    ['a Blob of another type', (text) => new Blob(['x'], { type: `text/${text}` })],
    ['a stream of another length', (text) => ({ stream: new Blob([text]).stream(), length: text.length })],
  ])('refuses another body under the same key: %s', async (_, make) => {
    const answers = [reply(503, { headers: { 'retry-after': '0' } }), created];
    const same = client(answers);
    await lastValueFrom(same.http.post('/orders', () => make('one')));
    expect(same.keys()).toHaveLength(2);

    const other = client(answers);
    const bodies = [make('one'), make('three')];
    const failure = await errorOf(other.http.post('/orders', () => bodies.shift() ?? ''));
    expect(failure).toMatchObject({ name: 'UsageError', message: expect.stringContaining('Idempotency-Key') });
    expect(other.keys()).toHaveLength(1);
  });

  it('compares bodies of any size: 200 MB of bytes are more than fit in a text', () => {
    const bytes = new Uint8Array(200_000_000);
    const request = new HttpRequest('POST', 'https://api.test/files', { body: () => bytes });
    const made: unknown[] = [];
    idempotency(request, ({ body }) => {
      const { signal } = new AbortController();
      for (let n = 0; n < 2; n++) made.push(typeof body === 'function' ? body({ signal }) : body);
      return EMPTY;
    }).subscribe();
    expect(made.map((body) => body === bytes)).toEqual([true, true]);
  });

  it('compares bodies that are made later, too', async () => {
    const { http } = client([reply(503, { headers: { 'retry-after': '0' } }), created]);
    const bodies = ['one', 'two'];
    const failure = await errorOf(http.post('/orders', () => Promise.resolve(bodies.shift() ?? '')));
    expect(failure).toMatchObject({ name: 'UsageError' });
  });

  it('lets each subscription make its own body', async () => {
    const { http, keys } = client([created, created]);
    const bodies = ['one', 'two'];
    const order$ = http.post('/orders', () => bodies.shift() ?? '');
    await lastValueFrom(order$);
    await lastValueFrom(order$);
    expect(keys()).toHaveLength(2);
  });
});
