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
import { loopback } from '../support/loopback.js';
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

    // The bound counts decoded bytes: only a real fetch decodes.
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
