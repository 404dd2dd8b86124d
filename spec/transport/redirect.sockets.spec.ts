import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type ColdFetchInit, retryAfter, retryReport } from 'coldfetch';
import { errorOf } from '../support/errorOf.js';
import { bodyOf, loopback } from '../support/loopback.js';
import { transports } from '../support/transports.js';

interface Seen {
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/**
 * Two origins. The first redirects `/STATUS` to its own `/seen`, `/STATUS/away` to that of the second, `/STATUS/to?URL` anywhere; `/seen` says
 * what it got. Real ones: how fetch treats a redirect is what is worked around here.
 */
async function twoOrigins(): Promise<{ url: string; away: string; seen: Seen[]; requests: string[] }> {
  const seen: Seen[] = [];
  const other = await loopback((request, response) => {
    void bodyOf(request).then((body) => {
      seen.push({ method: request.method, headers: request.headers, body });
      response.end('seen');
    });
  });
  const first = await loopback((request, response) => {
    void bodyOf(request).then((body) => {
      const { pathname, search } = new URL(request.url ?? '/', 'http://origin.test');
      const [, status = '', where] = pathname.split('/');
      if (status === 'seen') {
        seen.push({ method: request.method, headers: request.headers, body });
        response.end('seen');
        return;
      }
      const location = { away: `${other.url}/seen`, to: decodeURIComponent(search.slice(1)), loop: pathname }[where ?? ''] ?? '/seen';
      response.writeHead(Number(status), { location }).end('x'.repeat(100));
    });
  });
  return { url: first.url, away: other.url, seen, requests: first.requests };
}

describe.each(transports)('by %s', (_, { asFetch, coldFetch }) => {
  const answerOf = (url: string, init: ColdFetchInit): Promise<Response> => firstValueFrom(coldFetch(url, init));

  describe('a redirect within the origin', () => {
    it.each([307, 308])('resends method, body and header fields after a %i', async (status) => {
      const { url, seen } = await twoOrigins();
      const response = await answerOf(`${url}/${status}`, { method: 'PUT', body: 'hello', headers: { 'x-key': 'a' } });
      expect(await response.text()).toBe('seen');
      expect(response.url).toBe(`${url}/seen`);
      expect(seen).toMatchObject([{ method: 'PUT', body: 'hello', headers: { 'x-key': 'a', 'content-length': '5' } }]);
    });

    it.each([
      [301, 'POST', 'GET'],
      [302, 'POST', 'GET'],
      [303, 'POST', 'GET'],
      [303, 'PUT', 'GET'],
      [302, 'PUT', 'PUT'],
    ])('after a %i of a %s sends a %s', async (status, method, next) => {
      const { url, seen } = await twoOrigins();
      await answerOf(`${url}/${status}`, { method, body: 'hello', headers: { 'content-type': 'text/x', 'x-key': 'a' } });
      const resent = next !== 'GET';
      expect(seen).toMatchObject([{ method: next, body: resent ? 'hello' : '', headers: { 'x-key': 'a' } }]);
      expect(seen[0]?.headers['content-type']).toBe(resent ? 'text/x' : undefined);
    });

    it.each([
      ['raw UTF-8', 'seen?q=grüße-日本', '/seen?q=gr%C3%BC%C3%9Fe-%E6%97%A5%E6%9C%AC'],
      ['raw bytes that are no UTF-8', Buffer.from('seen?q=gr\xfc', 'latin1'), '/seen?q=gr%EF%BF%BD'],
      ['escapes', 'seen?q=gr%C3%BC', '/seen?q=gr%C3%BC'],
    ])('goes where fetch goes: by %s', async (_, location, expected) => {
      const { url, requests } = await loopback((request, response) => {
        if (request.url !== '/') response.end();
        // Header fields are bytes, and Node takes each character for one.
        else response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end();
      });
      await answerOf(url, { headers: { 'x-key': 'a' } });
      await fetch(url);
      expect(requests).toEqual(['GET /', `GET ${expected}`, 'GET /', `GET ${expected}`]);
    });

    it('is told by the answer', async () => {
      const { url } = await twoOrigins();
      const init = { headers: { 'x-key': 'a' } };
      const answers = [
        await answerOf(`${url}/302`, init),
        await asFetch()(`${url}/302`, init),
        await asFetch()(`${url}/302`, { ...init, signal: new AbortController().signal }),
        await firstValueFrom(coldFetch(`${url}/302`, { ...init, selector: (response) => Promise.resolve(response) })),
      ];
      expect(answers.map(({ redirected }) => redirected)).toEqual([true, true, true, true]);
      expect(answers.map((answer) => answer.clone().redirected)).toEqual([true, true, true, true]);
      expect((await answerOf(`${url}/seen`, init)).redirected).toBe(false);
    });

    it('keeps HEAD after a 303', async () => {
      const { url, seen } = await twoOrigins();
      await answerOf(`${url}/303`, { method: 'HEAD', headers: { 'x-key': 'a' } });
      expect(seen[0]?.method).toBe('HEAD');
    });

    it('is an error if the answer that it leads to is one, and not if it has no location', async () => {
      const { url } = await twoOrigins();
      expect(await errorOf(coldFetch(`${url}/300`, { headers: { 'x-key': 'a' } }))).toMatchObject({ name: 'HttpError', status: 300 });
    });

    it('ends after 20 hops, for good', async () => {
      const { url, requests } = await twoOrigins();
      const error = await errorOf(coldFetch(`${url}/307/loop`, { headers: { 'x-key': 'a' } }).pipe(retryAfter()));
      expect(error).toMatchObject({ name: 'NetworkError', code: 'ERR_REDIRECT_REFUSED' });
      expect(retryReport(error)).toMatchObject({ attempts: 1, reason: 'terminal' });
      expect(requests).toHaveLength(21);
    });
  });

  describe('a redirect to another origin', () => {
    it('drops header fields that a browser would not send unasked', async () => {
      const { url, seen } = await twoOrigins();
      const headers = { 'x-api-key': 's3cret', authorization: 'Bearer s3cret', cookie: 'a=s3cret', accept: 'text/x' };
      await answerOf(`${url}/302/away`, { headers });
      expect(seen).toMatchObject([{ method: 'GET', headers: { accept: 'text/x' } }]);
      expect(JSON.stringify(seen)).not.toContain('s3cret');
    });

    it('refuses to take the body along, for good', async () => {
      const { url, seen } = await twoOrigins();
      const error = await errorOf(coldFetch(`${url}/307/away`, { method: 'PUT', body: 's3cret' }).pipe(retryAfter()));
      expect(error).toMatchObject({ name: 'NetworkError', code: 'ERR_REDIRECT_REFUSED' });
      expect(retryReport(error)).toMatchObject({ attempts: 1, reason: 'terminal' });
      expect(seen).toEqual([]);
    });

    it('goes on with a GET after a 303', async () => {
      const { url, seen } = await twoOrigins();
      await answerOf(`${url}/303/away`, { method: 'POST', body: 's3cret', headers: { 'x-api-key': 's3cret' } });
      expect(seen).toMatchObject([{ method: 'GET', body: '' }]);
      expect(JSON.stringify(seen)).not.toContain('s3cret');
    });

    it.each(['file:///etc/passwd', 'http://user:s3cret@127.0.0.1/', 'http://[bad'])(
      'refuses %s, and does not repeat it',
      async (target) => {
        const { url } = await twoOrigins();
        // Redirects are followed by coldfetch with the first header fields, by fetch without them.
        for (const headers of [{ 'x-key': 'a' }, {}]) {
          const error = await errorOf(coldFetch(`${url}/302/to?${encodeURIComponent(target)}`, { headers }).pipe(retryAfter()));
          expect(error).toMatchObject({ name: 'NetworkError', code: 'ERR_REDIRECT_REFUSED', unsent: false });
          expect(retryReport(error)).toMatchObject({ attempts: 1, reason: 'terminal' });
          expect(String(error)).not.toContain('s3cret');
        }
      },
    );
  });

  describe('a redirect to where nobody answers', () => {
    // Nothing listens on the port of a server that has closed.
    const refusing = async (): Promise<string> => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();
      return `http://127.0.0.1:${port}/`;
    };

    it.each<[string, number, RequestInit]>([
      ['a POST', 303, { method: 'POST', body: 'a' }],
      ['a GET with a key', 302, { headers: { 'x-key': 'a' } }],
      ['a GET that fetch follows', 302, {}],
      ['a HEAD that fetch follows', 307, { method: 'HEAD' }],
    ])('was sent before, so it is none that never left: %s', async (_, status, init) => {
      const { url } = await twoOrigins();
      const target = await refusing();
      const error = await errorOf(coldFetch(`${url}/${status}/to?${encodeURIComponent(target)}`, init));
      expect(error).toMatchObject({ name: 'NetworkError', code: 'ECONNREFUSED', unsent: false });
      expect(await errorOf(coldFetch(target, init))).toMatchObject({ name: 'NetworkError', code: 'ECONNREFUSED', unsent: true });
    });
  });

  describe('a redirect of what is not in memory', () => {
    const blob = (): Blob => new Blob(['x'.repeat(100_000)]);
    const stream = (): ReadableStream<Uint8Array> => new Blob(['x']).stream();

    it.each([
      ['a stream', () => ({ body: stream() })],
      ['a described stream', () => ({ body: { stream: stream(), length: 1 } })],
      ['a large Blob', () => ({ body: blob() })],
      ['a body function of a stream', () => ({ body: stream })],
    ] as const)('is refused by fetch for %s, for good', async (_, init) => {
      const { url, requests } = await twoOrigins();
      const error = await errorOf(coldFetch(`${url}/307`, { method: 'PUT', ...init() }).pipe(retryAfter()));
      expect(error).toMatchObject({ name: 'NetworkError' });
      expect(retryReport(error)?.reason).toBe('terminal');
      expect(requests).toEqual(['PUT /307']);
    });

    it('is refused for a Request whose body was handed over, instead of sending it without', async () => {
      const { url, requests } = await twoOrigins();
      const error = await errorOf(coldFetch(new Request(`${url}/307`, { method: 'POST', body: 'hello' })));
      expect(error).toMatchObject({ name: 'NetworkError', code: 'ERR_REDIRECT_REFUSED' });
      expect(requests).toEqual(['POST /307']);
    });
  });

  describe('redirect modes', () => {
    it.each(['/302', '/302/away', '/307/loop'])(
      'tell of a redirect to %s that is refused by its code, and never repeat it',
      async (path) => {
        const { url, requests } = await twoOrigins();
        const error = await errorOf(coldFetch(`${url}${path}`, { redirect: 'error' }).pipe(retryAfter()));
        expect(error).toMatchObject({ name: 'NetworkError', code: 'ERR_REDIRECT_REFUSED' });
        expect(retryReport(error)).toMatchObject({ attempts: 1, reason: 'terminal' });
        expect(requests).toHaveLength(1);
      },
    );

    it.each(['manual', 'error'] as const)('keeps %s, of the init and of a Request', async (redirect) => {
      const { url, requests } = await twoOrigins();
      const headers = { 'x-key': 'a' };
      await errorOf(coldFetch(`${url}/302`, { redirect, headers }));
      await errorOf(coldFetch(new Request(`${url}/302`, { redirect, headers })));
      expect(requests).toEqual(['GET /302', 'GET /302']);
    });

    it('leaves requests that carry nothing to fetch', async () => {
      const { url } = await twoOrigins();
      const response = await answerOf(`${url}/302/away`, {});
      expect([response.redirected, response.status]).toEqual([true, 200]);
    });
  });
});
