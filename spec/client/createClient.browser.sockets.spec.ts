import { afterAll, beforeAll, expect, it } from 'vitest';
import { needsChromium } from '../support/needs.js';
import { openPlayground, type Playground } from '../support/page.js';

const shared = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'x-api-key, authorization' };
const json = { 'content-type': 'application/json' };

needsChromium('createClient in a browser', () => {
  let world: Playground;

  beforeAll(async () => {
    world = await openPlayground({
      '/api/user': (_, response) => response.writeHead(200, json).end('{"name":"Ada"}'),
      '/moved': (_, response) => response.writeHead(302, { location: `${world.abroad}/landing` }).end(),
      '/landing': ({ method, headers }, response) =>
        response
          .writeHead(method === 'OPTIONS' ? 204 : 200, { ...json, ...shared })
          .end(method === 'OPTIONS' ? '' : JSON.stringify(headers)),
      '/unshared': (_, response) => response.writeHead(200, json).end('"secret"'),
      '/rows': (_, response) => response.writeHead(200, { ...json, ...shared, link: '</rows?page=2>; rel="next"' }).end('[1]'),
      '/exposed': ({ url = '' }, response) => {
        const next = url.includes('page') ? {} : { link: '</exposed?page=2>; rel="next"' };
        response.writeHead(200, { ...json, ...shared, 'access-control-expose-headers': 'Link', ...next }).end('[1]');
      },
      '/form': (request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => response.writeHead(200, json).end(JSON.stringify(Buffer.concat(chunks).toString())));
      },
      '/stalled': (_, response) => response.writeHead(200, json).write('{"name":'),
      '/upload': (request, response) => request.resume().on('end', () => response.end('"done"')),
    });
  });

  afterAll(() => world.close());

  const paths = (since: number): string[] => world.received.slice(since).map(({ method, path }) => `${method} ${path}`);

  it('resolves a relative base URL against the page', async () => {
    const { events } = await world.play(`coldfetch.createClient({ baseUrl: '/api' }).get('user', { observe: 'response' })`);
    expect(events).toMatchObject([{ url: `${world.home}/api/user`, body: { name: 'Ada' } }]);
  });

  it('lets header fields but authorization follow a redirect to another origin, as a page cannot prevent', async () => {
    const headers = `{ authorization: 'Bearer secret', 'x-api-key': 'secret' }`;
    const { events } = await world.play(`coldfetch.createClient({ baseUrl: '/', headers: ${headers} }).get('moved')`);
    expect(events).toMatchObject([{ value: { 'x-api-key': 'secret' } }]);
    expect(events).not.toMatchObject([{ value: { authorization: 'Bearer secret' } }]);
  });

  it("refuses any redirect with redirect: 'error', for good", async () => {
    const since = world.received.length;
    const options = `{ baseUrl: '/', headers: { 'x-api-key': 'secret' }, fetchOptions: { redirect: 'error' } }`;
    const { error } = await world.play(`coldfetch.createClient(${options}).get('moved')`);
    expect(error).toMatchObject({ name: 'NetworkError', code: 'ERR_REDIRECT_REFUSED' });
    expect(error?.message).toBe(
      `GET ${world.home}/moved: redirect refused: the call has redirect: 'error'; send it to where it leads, or leave redirect out`,
    );
    expect(paths(since)).toEqual(['GET /moved']);
  });

  it.each([
    ['a stream', `new Blob(['abc']).stream()`],
    ['a generator', `(async function* () { yield new Uint8Array(3); })()`],
    ['a body function', `() => new Blob(['abc']).stream()`],
  ])('fails with one error, and no rejection beside it, where HTTP/1.1 takes no stream: %s', async (_, body) => {
    await world.page.evaluate(
      `window.unhandled = []; addEventListener('unhandledrejection', ({ reason }) => unhandled.push(String(reason)))`,
    );
    const { error } = await world.play(`coldfetch.createClient({ baseUrl: '/', retry: false }).post('upload', ${body})`);
    expect(error).toMatchObject({ name: 'NetworkError', code: 'ERR_STREAM_NEEDS_HTTP2' });
    // A page tells of unhandled rejections before it takes its next task.
    expect(await world.page.evaluate(`new Promise((resolve) => setTimeout(() => resolve(unhandled)))`)).toEqual([]);
  });

  it('sends a form as the page encodes it, and tells that it is gone', async () => {
    const body = `(() => { const form = new FormData(); form.append('name', 'Ada'); form.append('file', new Blob(['bytes']), 'a.txt'); return form; })()`;
    const { events } = await world.play(`coldfetch.createClient({ baseUrl: '/' }).post('form', ${body}, { observe: 'events' })`);
    expect(events.filter(({ type }) => type === 'upload')).toMatchObject([{ loaded: 8 }]);
    const sent = String(events.at(-1)?.body);
    expect(sent).toContain('name="name"\r\n\r\nAda\r\n');
    expect(sent).toContain('filename="a.txt"');
  });

  it('reads the answer of a selector, and ends one whose body stands still', async () => {
    const selector = 'selector: (response) => response.json()';
    expect((await world.play(`coldfetch.coldFetch(home + '/api/user', { ${selector} })`)).events).toMatchObject([
      { value: { name: 'Ada' } },
    ]);
    const { error } = await world.play(`coldfetch.coldFetch(home + '/stalled', { ${selector}, timeout: 500 })`);
    expect(error).toMatchObject({ name: 'TimeoutError' });
  });

  it('says what a failed request to another origin may have met', async () => {
    const { error } = await world.play(`coldfetch.createClient({ retry: false }).get(abroad + '/unshared')`);
    expect(error?.message).toBe(
      `GET ${world.abroad}/unshared: the server cannot be reached, or CORS denies this page its answer: ` +
        `${world.abroad} has to send Access-Control-Allow-Origin, to a preflight too`,
    );
  });

  it('says that a stream cannot be sent without https, and does not try again', async () => {
    const { error } = await world.play(`coldfetch.createClient({ baseUrl: '/' }).put('upload', () => new Blob(['x']).stream())`);
    expect(error).toMatchObject({ name: 'NetworkError', code: 'ERR_STREAM_NEEDS_HTTP2' });
  });

  it('holds a request of somebody who waits while it is offline', async () => {
    const context = world.page.context();
    await context.setOffline(true);
    const played =
      world.play(`coldfetch.createClient({ baseUrl: '/api', retry: coldfetch.policies.interactive }).get('user', { observe: 'events' })
      .pipe(rxjs.tap(({ type }) => type === 'wait' && (document.title = 'waiting')))`);
    await world.page.waitForFunction(`document.title === 'waiting'`);
    await context.setOffline(false);
    expect((await played).events.map(({ type, kind }) => kind ?? type)).toEqual(['offline', 'sent', 'headers', 'download', 'response']);
  });

  it('says where linkPages cannot see the links of another origin', async () => {
    const client = `coldfetch.createClient({ baseUrl: abroad })`;
    expect((await world.play(`coldfetch.linkPages(${client}, '/rows')`)).error?.message).toContain('Access-Control-Expose-Headers: Link');
    expect((await world.play(`coldfetch.linkPages(${client}, '/exposed')`)).events).toHaveLength(2);
  });
});
