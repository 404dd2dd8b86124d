import { gzipSync } from 'node:zlib';
import { firstValueFrom, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  BodyError,
  createClient,
  type HttpClient,
  HttpError,
  HttpRequest,
  isHttpError,
  policies,
  retryReport,
  UsageError,
} from 'coldfetch';
import { marbles, reply } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';
import { bodyOf, loopback } from '../support/loopback.js';
import { transports } from '../support/transports.js';
import { BASE, client, field } from './createClient.support.js';

describe('createClient', () => {
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
        const { http } = client({ retry: policies.upload }, [reply(503, { body: 'first' }), reply(404, { body: 'second' })]);
        expect$(http.get('a')).toBeMarbles('1s #', undefined, { status: 404, body: 'second' });
      }));

    it('stays unread for request()', async () => {
      const { http } = client({}, [reply(404, { body: 'gone' })]);
      const error = await errorOf(http.request(new HttpRequest('GET', 'users')));
      expect(error).toBeInstanceOf(HttpError);
      expect(isHttpError(error) && [error.body, error.response.bodyUsed]).toEqual([undefined, false]);
    });
  });
});

describe.each(transports)('createClient over sockets by %s', (_, { createClient }) => {
  /** Answers with what has arrived; as its path says, in JSON or with a status that has no body. */
  const echo = () =>
    loopback((request, response) => {
      void bodyOf(request).then((body) => {
        const status = Number(request.url?.slice(1) ?? 200);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(
          status >= 400 ? body : JSON.stringify({ body, type: request.headers['content-type'], length: request.headers['content-length'] }),
        );
      });
    });

  it.each([
    ['an object', { a: 1 }, { body: '{"a":1}', type: 'application/json', length: '7' }],
    ['a string', 'grüße', { body: 'grüße', type: 'text/plain;charset=UTF-8', length: '7' }],
    ['bytes', new Uint8Array([97, 98]), { body: 'ab', length: '2' }],
    ['parameters', new URLSearchParams({ a: '1' }), { body: 'a=1', type: 'application/x-www-form-urlencoded;charset=UTF-8', length: '3' }],
    ['a Blob', new Blob(['ab'], { type: 'image/png' }), { body: 'ab', type: 'image/png', length: '2' }],
    [
      'a stream of known length',
      () => ({ stream: new Blob(['ab']).stream(), length: 2, type: 'text/x' }),
      { body: 'ab', type: 'text/x', length: '2' },
    ],
  ])('sends %s with its type and length', async (_kind, body, expected) => {
    const { url } = await echo();
    expect(await firstValueFrom(createClient({ baseUrl: url }).post('200', body))).toEqual(expected);
  });

  it('sends a form whose parts it does not change', async () => {
    const { url } = await echo();
    const form = new FormData();
    form.set('name', 'Ada');
    form.set('file', new Blob(['ab'], { type: 'image/png' }), 'a.png');
    const { body, type } = await firstValueFrom(createClient({ baseUrl: url }).post<Record<'body' | 'type', string>>('200', form));
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(type)?.[1] ?? 'none';
    const parts = body.split(`--${boundary}`).map((part) => part.trim());
    expect(parts).toEqual([
      '',
      'Content-Disposition: form-data; name="name"\r\n\r\nAda',
      'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nab',
      '--',
    ]);
  });

  it.each([
    ['text', (body: unknown) => body],
    ['bytes', (body: unknown) => new TextDecoder().decode(body as Uint8Array)],
    ['arrayBuffer', (body: unknown) => new TextDecoder().decode(body as ArrayBuffer)],
    ['blob', (body: unknown) => (body as Blob).text()],
    ['stream', (body: unknown) => new Response(body as ReadableStream).text()],
  ] as const)('reads a body as %s', async (responseType, read) => {
    const { url } = await echo();
    const body: unknown = await firstValueFrom(createClient({ baseUrl: url }).post('200', 'ab', { responseType }));
    expect(JSON.parse(String(await read(body)))).toMatchObject({ body: 'ab' });
  });

  it.each([204, 205])('gives null for a %i', async (status) => {
    const { url } = await echo();
    expect(await firstValueFrom(createClient({ baseUrl: url }).post(String(status), 'ab'))).toBeNull();
  });

  it('gives null for a HEAD, and for a 304 to a caller who sent a validator', async () => {
    const { url } = await echo();
    const http = createClient({ baseUrl: url });
    expect(await firstValueFrom(http.head('200'))).toBeNull();
    expect(await firstValueFrom(http.get('304', { headers: { 'if-none-match': '"a"' } }))).toBeNull();
  });

  it('has the body of an error in .body, cut at 64 KiB', async () => {
    const { url } = await echo();
    const http = createClient({ baseUrl: url });
    expect(await errorOf(http.post('404', { code: 'missing' }))).toMatchObject({ body: { code: 'missing' } });
    expect(await errorOf(http.post('404', 'x'.repeat(200_000)))).toMatchObject({ body: 'x'.repeat(65_536) });
  });

  it('bounds bodies by what they are decoded to', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const { url } = await loopback((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await errorOf(createClient({ maxBytes: 1_000_000 }).get(url, { responseType: 'bytes' }))).toBeInstanceOf(BodyError);
  });
});
