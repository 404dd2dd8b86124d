import type { IncomingMessage, ServerResponse } from 'node:http';
import { firstValueFrom, lastValueFrom, Subject } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from 'coldfetch';
import { xhr } from 'coldfetch/xhr';
import { errorOf } from '../../support/errorOf.js';
import { needsChromium } from '../../support/needs.js';
import { openPlayground, type Played, type Playground } from '../../support/page.js';

const MEGABYTE = 1_048_576;
/** A type that Chromium guesses nothing about; of others it holds the first KiB back. */
const BYTES = { 'content-type': 'application/octet-stream' };

/** Reads a body to its end. */
async function readBody(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) length += chunk.byteLength;
  response.end(JSON.stringify({ length, type: request.headers['content-type'] ?? null }));
}

/** A request that its spec answers bit by bit. */
interface SlowRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Waits until the page is told of more bytes, then moves its clock by 9 s. */
  readonly moved: () => Promise<void>;
  readonly played: Promise<Played>;
}

const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

needsChromium('xhr in a browser', () => {
  let world: Playground;
  let busy = 0;
  /** Requests to the path `/slow`, which a spec answers itself. */
  const slow = new Subject<[IncomingMessage, ServerResponse]>();

  beforeAll(async () => {
    world = await openPlayground({
      '/upload': (request, response) => void readBody(request, response),
      '/slow': (request, response) => slow.next([request, response]),
      '/long': (_, response) => response.writeHead(200, BYTES).end('x'.repeat(1000)),
      '/user': (_, response) => response.setHeader('content-type', 'application/json').end('{"name":"Ada"}'),
      '/empty': (_, response) => response.writeHead(204).end(),
      '/form': (_, response) => response.setHeader('content-type', 'application/x-www-form-urlencoded').end('a=1'),
      '/missing': (_, response) => response.writeHead(404, { 'content-type': 'application/json' }).end('{"code":"gone"}'),
      '/busy': (_, response) => (busy++ < 1 ? response.writeHead(429, { 'retry-after': '0' }).end('no') : response.end('"yes"')),
      '/silent': () => undefined,
      '/stuck': (_, response) => response.writeHead(200, { ...BYTES, 'content-length': 10 }).write('x'),
      '/torn': (_, response) => {
        response.writeHead(200, { ...BYTES, 'content-length': 10_000 });
        response.write('x'.repeat(5000), () => setTimeout(() => response.destroy(), 100));
      },
      '/moved': (_, response) => response.writeHead(302, { location: '/user' }).end(),
      '/closed': (_, response) => response.destroy(),
      '/echo': ({ method, headers }, response) => {
        response.writeHead(method === 'OPTIONS' ? 204 : 200, allowed);
        response.end(method === 'OPTIONS' ? undefined : JSON.stringify(headers));
      },
      '/unshared': (_, response) => response.end('"secret"'),
    });
  });

  afterAll(() => world.close());

  const play = (call: string, options = ''): Promise<Played> =>
    world.play(`coldfetch.createClient({ baseUrl: '/', transport: coldfetch.xhr(), retry: { random: () => 0 }, ${options} }).${call}`);
  const types = ({ events }: Played): string[] => events.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);

  /** Sends a request to the path `/slow` with a timeout of 10 s, by the page's clock, which stands still unless it is moved. */
  async function playSlowly(call: string): Promise<SlowRequest> {
    const { page } = world;
    await page.clock.install();
    await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 1000'));
    onTestFinished(() => page.clock.resume());
    const arrived = firstValueFrom(slow);
    await page.evaluate('window.loaded = 0');
    const played = play(`${call}.pipe(rxjs.tap(({ loaded }) => loaded && (window.loaded = loaded)))`, 'timeout: 10_000, retry: false');
    const [request, response] = await arrived;
    let loaded = 0;
    const moved = async (): Promise<void> => {
      await expect.poll(() => page.evaluate<number>('window.loaded')).toBeGreaterThan(loaded);
      loaded = await page.evaluate<number>('window.loaded');
      await page.clock.runFor(9000);
    };
    return { request, response, moved, played };
  }

  it('tells of the bytes of an upload, and does not time out while they flow', async () => {
    // The part that the system buffers, of which the page is told at once, is smaller.
    const size = 24 * MEGABYTE;
    const { request, response, moved, played } = await playSlowly(`post('slow', new Uint8Array(${size}), { observe: 'events' })`);
    let length = 0;
    let next = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.byteLength;
      if (length < next) continue;
      await moved();
      next = length + 8 * MEGABYTE;
    }
    response.end(JSON.stringify({ length }));
    const { events, ...end } = await played;
    const uploads = events.filter(({ type }) => type === 'upload');
    expect(types({ events, ...end })).toEqual(['sent', 'upload', 'headers', 'download', 'response']);
    expect(uploads[0]?.loaded).toBeLessThan(size);
    expect(uploads.at(-1)).toEqual({ type: 'upload', attempt: 1, loaded: size, total: size });
    expect(new Set(uploads.map(({ loaded }) => loaded)).size).toBe(uploads.length);
    expect(events.at(-1)).toMatchObject({ status: 200, body: { length: size } });
  });

  it('sends bodies of all kinds', async () => {
    const bodies: [string, { length: number; type: unknown }][] = [
      [`'text'`, { length: 4, type: 'text/plain;charset=UTF-8' }],
      [`{ json: true }`, { length: 13, type: 'application/json' }],
      [`new Blob(['blob'], { type: 'image/png' })`, { length: 4, type: 'image/png' }],
      [`new URLSearchParams({ a: '1' })`, { length: 3, type: expect.stringContaining('application/x-www-form-urlencoded') as string }],
      [
        `(() => { const form = new FormData(); form.set('a', '1'); return form; })()`,
        { length: expect.any(Number) as number, type: expect.stringContaining('multipart/form-data') as string },
      ],
      [`() => Promise.resolve('made')`, { length: 4, type: 'text/plain;charset=UTF-8' }],
      [`new Blob(['stream']).stream()`, { length: 6, type: null }],
      [`() => ({ stream: new Blob(['typed']).stream(), type: 'image/png' })`, { length: 5, type: 'image/png' }],
    ];
    for (const [body, expected] of bodies)
      expect((await play(`post('upload', ${body}, { observe: 'response' })`)).events).toMatchObject([{ body: expected }]);
  });

  it('tells of the bytes of an answer, and does not time out while they flow', async () => {
    const { response, moved, played } = await playSlowly(`get('slow', { observe: 'events', responseType: 'text' })`);
    response.writeHead(200, { ...BYTES, 'content-length': 1000 });
    for (let sent = 1; sent < 10; sent++) {
      response.write('x'.repeat(100));
      await moved();
    }
    response.end('x'.repeat(100));
    const { events, ...end } = await played;
    expect(types({ events, ...end })).toEqual(['sent', 'headers', 'download', 'response']);
    expect(events.filter(({ type }) => type === 'download').map(({ loaded }) => loaded)).toEqual(
      [...Array(10).keys()].map((n) => (n + 1) * 100),
    );
    expect(events.at(-1)).toMatchObject({ body: 'x'.repeat(1000) });
  });

  it.each([
    ['json', `get('user')`, { name: 'Ada' }],
    ['text', `get('user', { responseType: 'text' })`, '{"name":"Ada"}'],
    ['blob', `get('user', { responseType: 'blob' }).pipe(rxjs.map((blob) => [blob.size, blob.type]))`, [14, 'application/json']],
    ['bytes', `get('user', { responseType: 'bytes' }).pipe(rxjs.map((bytes) => bytes.length))`, 14],
    ['formData', `get('form', { responseType: 'formData' }).pipe(rxjs.map((form) => form.get('a')))`, '1'],
    ['stream', `get('user', { responseType: 'stream' }).pipe(rxjs.mergeMap((stream) => new Response(stream).text()))`, '{"name":"Ada"}'],
    ['no body', `get('empty')`, null],
    ['no body of a HEAD', `head('user')`, null],
  ])('reads %s', async (_, call, value) => {
    expect(await play(call)).toEqual({ events: [{ type: 'value', value }] });
  });

  it('fails with an HttpError and its body', async () => {
    const played = await play(
      `get('missing').pipe(rxjs.catchError((error) => rxjs.of(error.status, error.body, coldfetch.isHttpError(error))))`,
    );
    expect(played.events.map(({ value }) => value)).toEqual([404, { code: 'gone' }, true]);
  });

  it('is retried as the server asks', async () => {
    const played = await play(`get('busy', { observe: 'events' })`);
    expect(types(played)).toEqual(['sent', 'headers', 'wait', 'sent', 'headers', 'download', 'response']);
  });

  it.each(['silent', 'stuck'])('times out when nothing moves: /%s', async (path) => {
    const { error } = await play(`get('${path}', { timeout: 200, retry: false })`);
    expect(error).toMatchObject({ name: 'TimeoutError', message: `GET ${world.home}/${path}: no progress for 200 ms` });
  });

  it.each([
    ['torn', 'the answer broke off'],
    ['closed', 'the server cannot be reached'],
  ])('fails with a NetworkError: /%s', async (path, why) => {
    const { error } = await play(`get('${path}', { retry: false })`);
    expect(error).toMatchObject({ name: 'NetworkError', message: `GET ${world.home}/${path}: ${why}` });
  });

  it('says that CORS may be why an answer from elsewhere cannot be read', async () => {
    const { error } = await play(`get(abroad + '/unshared', { retry: false })`);
    expect(error?.name).toBe('NetworkError');
    expect(error?.message).toContain(`CORS denies this page its answer: ${world.abroad} has to send Access-Control-Allow-Origin`);
  });

  it('follows redirects, and says where it came to', async () => {
    const { events } = await play(`get('moved', { observe: 'response' })`);
    expect(events).toMatchObject([{ url: `${world.home}/user`, body: { name: 'Ada' } }]);
  });

  it('refuses a body beyond maxBytes, and one that does not parse', async () => {
    expect((await play(`get('long', { responseType: 'text', maxBytes: 150 })`)).error?.message).toContain('longer than 150 bytes');
    expect((await play(`get('form')`)).error).toMatchObject({
      name: 'BodyError',
      message: expect.stringContaining(`GET ${world.home}/form: `),
    });
  });

  it('aborts when it is unsubscribed, by a signal with its own reason', async () => {
    const reason = `(() => { const leaving = new AbortController(); setTimeout(() => leaving.abort(new Error('left')), 50); return leaving.signal; })()`;
    expect((await play(`get('silent', { signal: ${reason} })`)).error).toEqual({ name: 'Error', message: 'left' });
    expect((await play(`get('silent').pipe(rxjs.takeUntil(rxjs.timer(50)))`)).events).toEqual([]);
  });

  it.each([
    ['redirect', `get('user', { fetchOptions: { redirect: 'error' } })`],
    ['cache', `get('user', { fetchOptions: { cache: 'no-store' } })`],
    ['credentials', `get('user', { fetchOptions: { credentials: 'omit' } })`],
  ])('refuses what it cannot obey: %s', async (name, call) => {
    expect((await play(call)).error).toMatchObject({ name: 'UsageError', message: expect.stringContaining(`fetchOptions: { ${name}: `) });
  });

  it('asks for a preflight where a body goes to another origin, and only there', async () => {
    const before = world.received.length;
    await play(`get(abroad + '/echo', { fetchOptions: { credentials: 'omit' } })`);
    await play(`post(abroad + '/echo', 'text')`);
    expect(world.received.slice(before).map(({ method }) => method)).toEqual(['GET', 'OPTIONS', 'POST']);
  });

  it('is behind asFetch, too', async () => {
    const { events } = await world.play(
      `rxjs.from(coldfetch.asFetch({ transport: coldfetch.xhr() })('/user')).pipe(rxjs.mergeMap(async (answer) => [answer.status, answer.url, await answer.json()]))`,
    );
    expect(events).toEqual([{ type: 'value', value: [200, `${world.home}/user`, { name: 'Ada' }] }]);
  });
});

describe('xhr where there is no XMLHttpRequest', () => {
  it('says so', async () => {
    const http = createClient({ baseUrl: 'https://api.test', transport: xhr() });
    expect(String(await errorOf(http.get('user')))).toContain('GET https://api.test/user: there is no XMLHttpRequest here');
    await expect(lastValueFrom(http.get('user'))).rejects.toMatchObject({ name: 'UsageError' });
  });
});
