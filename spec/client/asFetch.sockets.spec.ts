import { getEventListeners } from 'node:events';
import { gzipSync } from 'node:zlib';
import { EMPTY, lastValueFrom, NEVER, of } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { asFetch, createClient, isColdfetchError, isNetworkError, isUsageError, policies, retryReport, type RetryPolicy } from 'coldfetch';
import { type ScriptedReply, reply, scriptedFetch } from 'coldfetch/testing';
import { bodyOf, type Loopback, loopback } from '../support/loopback.js';
import { transports } from '../support/transports.js';

const URL = 'https://api.test/users';
/** Retries at once, so that real time does not matter. */
const quick: Pick<RetryPolicy, 'rules'> = {
  rules: Object.fromEntries(
    Object.entries(policies.standard.rules).map(([kind, rule]) => [kind, { ...rule, backoff: () => 0, sources: {} }]),
  ),
};

/** A drop-in fetch over a scripted one. */
function scripted(...answers: ScriptedReply[]) {
  const fetch = scriptedFetch(answers);
  return { requests: fetch.requests, fetch: asFetch({ fetch, retry: quick }) };
}

/** The listeners of a signal. */
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('asFetch', () => {
  it('rejects as an aborted fetch does where an abort$ of the policy ends it', async () => {
    const fetch = asFetch({ fetch: () => NEVER, retry: { abort$: of('stop') } });
    await expect(fetch(URL)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('resolves with the answer once retries bring one', async () => {
    const { fetch, requests } = scripted(429, 503, 'network', reply(200, { json: { id: 1 } }));
    const response = await fetch(URL);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ id: 1 });
    expect(requests).toHaveLength(4);
    expect(retryReport(response)).toBeUndefined();
  });

  it('resolves with the last answer, unread, when retries run out, and its report says why', async () => {
    const { fetch } = scripted(503, 503, 503, reply(503, { body: 'still down' }));
    const response = await fetch(URL);
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('still down');
    expect(retryReport(response)).toMatchObject({ attempts: 4, reason: 'exhausted', retries: { transient: 3 } });
  });

  it('resolves with an answer that no retry can mend, as fetch does', async () => {
    const { fetch } = scripted(reply(404, { body: 'no such user' }));
    const response = await fetch(URL);
    expect([response.status, await response.text()]).toEqual([404, 'no such user']);
    expect(retryReport(response)).toMatchObject({ attempts: 1, reason: 'terminal' });
  });

  it('rejects when there is no answer at all', async () => {
    const { fetch } = scripted('network', 'network', 'network', 'network');
    const failure: unknown = await fetch(URL).catch((error: unknown) => error);
    expect(isNetworkError(failure)).toBe(true);
    expect(retryReport(failure)).toMatchObject({ attempts: 4, reason: 'exhausted' });
  });

  it.each<[string, (fetch: typeof globalThis.fetch) => Promise<unknown>]>([
    ['a URL that is none', (fetch) => fetch('nowhere')],
    ['a GET with a body', (fetch) => fetch(URL, { body: 'x' })],
    ['a Request that was read', async (fetch) => fetch(await read(new Request(URL, { method: 'POST', body: 'x' })))],
  ])('rejects %s, and does not throw', async (_, call) => {
    const { fetch, requests } = scripted();
    expect(isUsageError(await call(fetch).catch((error: unknown) => error))).toBe(true);
    expect(requests).toHaveLength(0);
  });

  async function read(request: Request): Promise<Request> {
    await request.text();
    return request;
  }
});

describe.each(transports)('by %s: the errors of asFetch are those of fetch', (_name, { asFetch }) => {
  /** Reasons with which fetch and asFetch reject. */
  async function both(url: string, init: RequestInit = {}): Promise<[TypeError, TypeError]> {
    const errorOf = (call: typeof globalThis.fetch) => call(url, init).catch((error: unknown) => error as TypeError) as Promise<TypeError>;
    return [await errorOf(globalThis.fetch), await errorOf(asFetch({ retry: false, timeout: Infinity }))];
  }
  const codeOf = ({ cause }: TypeError): unknown => (cause as { code?: unknown } | undefined)?.code;

  it('a lost connection: a TypeError whose cause has the code, and which our guards know', async () => {
    const { url } = await loopback((request) => request.socket.destroy());
    const [expected, error] = await both(url);
    expect([error.constructor, error.name, error.message, codeOf(error)]).toEqual([
      TypeError,
      'TypeError',
      expected.message,
      codeOf(expected),
    ]);
    expect(isNetworkError(error) && [error.code, error.request?.url, error.unsent]).toEqual(['UND_ERR_SOCKET', url, false]);
    expect(isColdfetchError(error)).toBe(true);
    expect(Object.keys(error)).toEqual([]);
  });

  it.each<[string, string, () => NonNullable<RequestInit['body']>]>([
    ['longer', '10', () => 'abc'],
    ['shorter', '2', () => 'abc'],
    ['shorter', '10', () => 'x'.repeat(100_000)],
    ['longer', '200000', () => 'x'.repeat(100_000)],
    ['shorter', '10', () => new FormData()],
    ['longer, of a stream', '10', () => new Blob(['abc']).stream()],
    ['shorter, of a stream', '2', () => new Blob(['abc']).stream()],
  ])('a content-length that is %s: %s', async (_, length, body) => {
    const { url } = await loopback((request, response) => void request.resume().on('end', () => response.end()));
    const init = { method: 'POST', body: body(), duplex: 'half', headers: { 'content-length': length } } as const;
    const error = await asFetch({ timeout: Infinity })(url, init).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect([codeOf(error as TypeError), retryReport(error)?.attempts]).toEqual(['UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', 1]);
  });

  it('a redirect that is refused', async () => {
    const { url } = await loopback((_, response) => response.writeHead(302, { location: 'ftp://127.0.0.1/' }).end());
    const [, error] = await both(url, { headers: { 'x-key': 'a' } });
    expect([error.constructor, codeOf(error), isNetworkError(error)]).toEqual([TypeError, 'ERR_REDIRECT_REFUSED', true]);
  });

  it.each<[string, string, RequestInit]>([
    ['a URL without a scheme', 'nowhere', {}],
    ['a URL with a password', 'https://ada:secret@api.test/', {}],
    ['a control character', 'https://api.test/', { headers: { 'x-key': 'a\u0001b' } }],
    ['a line break', 'https://api.test/', { headers: { 'x-key': 'a\nb' } }],
    ['transfer-encoding', 'https://api.test/', { headers: { 'transfer-encoding': 'chunked' } }],
    ['keep-alive', 'https://api.test/', { headers: { 'keep-alive': '5' } }],
    ['upgrade', 'https://api.test/', { headers: { upgrade: 'h2c' } }],
    ['connection', 'https://api.test/', { headers: { connection: 'x' } }],
    ['expect', 'https://api.test/', { headers: { expect: '100-continue' } }],
    ['a content-length that is no number', 'https://api.test/', { method: 'POST', body: 'a', headers: { 'content-length': 'x' } }],
    ['a method that is none', 'https://api.test/', { method: 'a b' }],
    ['a GET with a body', 'https://api.test/', { body: 'a' }],
  ])('bad usage: %s', async (_, url, init) => {
    const [expected, error] = await both(url, init);
    expect([error.constructor, codeOf(error), isUsageError(error)]).toEqual([expected.constructor, codeOf(expected), true]);
  });

  it('a body that breaks off', async () => {
    const { url } = await loopback((_, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half', () => response.destroy());
    });
    const textOf = async (call: typeof globalThis.fetch): Promise<TypeError> =>
      (await call(url)).text().then(
        () => new TypeError('it did not'),
        (error: unknown) => error as TypeError,
      );
    const expected = await textOf(globalThis.fetch);
    const error = await textOf(asFetch());
    expect([error.message, codeOf(error)]).toEqual([expected.message, codeOf(expected)]);
  });
});

describe.each(transports)('by %s: the signal of asFetch', (_name, { asFetch }) => {
  it('rejects with its very reason, and nothing is sent, if it has aborted before', async () => {
    const { fetch, requests } = scripted(200);
    const reason = new Error('never mind');
    await expect(fetch(URL, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toHaveLength(0);
  });

  it.each([
    ['in an attempt', 'hang', {}],
    ['in a wait', reply(429, { headers: { 'retry-after': '60' } }), {}],
    ['at a gate', reply(429, { headers: { 'retry-after': '60' } }), { pace: undefined }],
  ] as const)('rejects with its very reason %s', async (_, answer, options) => {
    const controller = new AbortController();
    const reason = { code: 'MINE' };
    const fetch = asFetch({ fetch: scriptedFetch([answer]), ...options });
    const response = fetch(URL, { signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    expect(listeners(controller.signal)).toBe(1);
    controller.abort(reason);
    await expect(response).rejects.toBe(reason);
    expect(listeners(controller.signal)).toBe(0);
  });

  it('is that of a Request too, unless null takes it away', async () => {
    const { fetch } = scripted(200);
    const reason = new Error('never mind');
    const request = new Request(URL, { signal: AbortSignal.abort(reason) });
    await expect(fetch(request)).rejects.toBe(reason);
    expect((await fetch(request, { signal: null })).status).toBe(200);
  });

  it('reaches the reading of a Request’s body that stalls', async () => {
    const { fetch } = scripted(200);
    const controller = new AbortController();
    const reason = new Error('never mind');
    const stalled = new Request(URL, { method: 'POST', body: new ReadableStream(), duplex: 'half' });
    const response = fetch(stalled, { signal: controller.signal });
    controller.abort(reason);
    await expect(response).rejects.toBe(reason);
  });

  /** A server that sends half of a body, and the rest when asked to. */
  async function halting(): Promise<{ url: string; finish: () => void }> {
    let finish = (): void => undefined;
    const { url } = await loopback((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('half');
      finish = () => response.end(' and half');
    });
    return { url, finish: () => finish() };
  }

  it('fails the body with its very reason until the body has ended', async () => {
    const { url } = await halting();
    const controller = new AbortController();
    const reason = new Error('enough');
    const response = await asFetch()(url, { signal: controller.signal });
    const reader = response.body?.getReader();
    expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe('half');
    controller.abort(reason);
    await expect(reader?.read()).rejects.toBe(reason);
    expect(listeners(controller.signal)).toBe(0);
  });

  it.each<[string, (response: Response) => Promise<unknown>]>([
    ['read to its end', (response) => response.text()],
    ['cancelled', async (response) => response.body?.cancel()],
  ])('leaves no listener once the body is %s, and does nothing to it afterwards', async (_, end) => {
    const { url, finish } = await halting();
    const controller = new AbortController();
    const response = await asFetch()(url, { signal: controller.signal });
    expect(listeners(controller.signal)).toBe(1);
    finish();
    await end(response);
    expect(listeners(controller.signal)).toBe(0);
    controller.abort();
  });

  it('leaves no listener when the body is dropped unread', async () => {
    const { url } = await halting();
    const controller = new AbortController();
    await asFetch()(url, { signal: controller.signal });
    const listenersLeft = (): number => {
      globalThis.gc?.();
      return listeners(controller.signal);
    };
    await expect.poll(listenersLeft).toBe(0);
  });
});

describe.each(transports)('by %s: the body that asFetch sends', (_name, { asFetch }) => {
  const post = (body: RequestInit['body'], init: RequestInit = {}): Request =>
    new Request(URL, { method: 'PUT', body: body ?? null, duplex: 'half', ...init });
  const chunks = (...texts: string[]): ReadableStream<Uint8Array> => new Blob(texts).stream();

  it('is read from a Request once, and sent with every attempt', async () => {
    const received: string[] = [];
    const { url } = await loopback((request, response) => {
      void bodyOf(request).then((body) => {
        received.push(body);
        response.writeHead(received.length < 3 ? 503 : 200).end();
      });
    });
    const request = new Request(url, { method: 'PUT', body: chunks('a', 'b'), duplex: 'half', headers: { 'content-type': 'text/plain' } });
    expect((await asFetch({ retry: quick })(request)).status).toBe(200);
    expect(received).toEqual(['ab', 'ab', 'ab']);
    expect(request.bodyUsed).toBe(true);
  });

  it('is sent once where it is longer than maxBuffer, all of it', async () => {
    const received: string[] = [];
    const { url } = await loopback((request, response) => {
      void bodyOf(request).then((body) => {
        received.push(body);
        response.writeHead(503).end();
      });
    });
    const request = new Request(url, { method: 'PUT', body: chunks('12345', '67890'), duplex: 'half' });
    const response = await asFetch({ retry: quick, maxBuffer: 4 })(request);
    expect(received).toEqual(['1234567890']);
    expect(response.status).toBe(503);
    expect(retryReport(response)).toMatchObject({ attempts: 1, reason: 'not-replayable' });
  });

  it('is not sent again where it is a stream of init', async () => {
    const { fetch } = scripted(503);
    const response = await fetch(URL, { method: 'PUT', body: chunks('once'), duplex: 'half' });
    expect(retryReport(response)?.reason).toBe('not-replayable');
  });

  it('is that of init where both have one', async () => {
    const { fetch, requests } = scripted(200);
    await fetch(post('theirs'), { body: 'ours' });
    expect(requests[0]?.body).toBe('ours');
  });

  it('fails the call with the error of its own stream', async () => {
    const { fetch } = scripted(200);
    const broken = new Error('the disk is gone');
    const body = new ReadableStream({ start: (controller) => controller.error(broken) });
    await expect(fetch(post(body))).rejects.toBe(broken);
  });
});

describe.each(transports)('by %s: the answer of asFetch is that of fetch', (_name, { asFetch }) => {
  const text = 'x'.repeat(3000);
  const serve = (): Promise<Loopback> =>
    loopback((request, response) => {
      const path = request.url ?? '/';
      if (path === '/moved') response.writeHead(302, { location: '/plain' }).end();
      else if (path === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip', 'set-cookie': ['a=1', 'b=2'] }).end(gzipSync(text));
      else if (path === '/empty') response.writeHead(204, 'Nothing Here').end();
      else if (path === '/same') response.writeHead(304, { etag: '"1"' }).end();
      else if (path === '/gone') response.writeHead(410, 'Gone For Good').end(text);
      else response.writeHead(200, { 'x-path': path }).end(text);
    });
  const told = async (response: Response) => ({
    status: response.status,
    statusText: response.statusText,
    ok: response.ok,
    url: response.url,
    type: response.type,
    headers: [...response.headers].filter(([name]) => name !== 'date'),
    cookies: response.headers.getSetCookie(),
    text: await response.text(),
  });

  it.each<[string, string, RequestInit]>([
    ['a plain answer', '/plain?a=1', {}],
    ['gzip', '/gzip', {}],
    ['a redirect', '/moved', {}],
    ['a redirect by hand', '/moved', { redirect: 'manual' }],
    ['HEAD', '/plain', { method: 'HEAD' }],
    ['204', '/empty', {}],
    ['304', '/same', { headers: { 'if-none-match': '"1"' } }],
    ['304 that nobody asked for', '/same', {}],
    ['an error', '/gone', {}],
  ])('%s: status, URL, header fields and bytes', async (_, path, init) => {
    const url = (await serve()).url + path;
    const expected = await told(await fetch(url, init));
    expect(await told(await asFetch()(url, init))).toEqual(expected);
    // A signal makes the body a wrapped one.
    const { signal } = new AbortController();
    expect(await told(await asFetch()(url, { ...init, signal }))).toEqual(expected);
    expect(await told((await asFetch()(url, { ...init, signal })).clone())).toEqual(expected);
    expect(await told(await asFetch()(new Request(url, init)))).toEqual(expected);
  });
});

describe('two owners of retry', () => {
  it('are noticed once: a client over another client’s asFetch', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warned.mockRestore());
    const fetch = asFetch();
    createClient({ fetch });
    createClient({ fetch });
    asFetch({ fetch });
    expect(warned).toHaveBeenCalledOnce();
    expect(warned.mock.calls[0]?.[0]).toContain('retry: false');
  });

  it.each([
    ['the inner one does not retry', () => createClient({ fetch: asFetch({ retry: false }) })],
    ['the outer one does not retry', () => createClient({ fetch: asFetch(), retry: false })],
  ])('are not two where %s', async (_, make) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warned.mockRestore());
    expect(await lastValueFrom(EMPTY, { defaultValue: make() })).toBeDefined();
    expect(warned).not.toHaveBeenCalled();
  });
});
