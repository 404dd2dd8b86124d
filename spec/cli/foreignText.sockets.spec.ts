import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../node/support.js';
import { loopback } from '../support/loopback.js';
import { coldfetch, type World } from './support.js';

const HOSTILE = '\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\n::error::forged\r##vso[task.complete]##[error]x';
const SOURCE = ['--token', 'secret', '--commit', 'c'.repeat(40), '--branch', 'main'];

/** A server that answers every request with these bytes. */
async function answering(...lines: string[]): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(Buffer.from(lines.join('\r\n'), 'latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A build API that answers the request for a build, and the uploads, as it is told. */
async function buildApi(build: object, storage: { readonly status: number; readonly body: string }): Promise<string> {
  const { url } = await loopback((request, response) => {
    request.resume().on('end', () => {
      if (request.url === '/storage') response.writeHead(storage.status).end(storage.body);
      else if (request.method === 'POST') response.writeHead(201).end(JSON.stringify(build));
      else response.end('{}');
    });
  });
  return url;
}

const keyOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** Everything a command wrote. */
async function written(argv: readonly string[], world?: World): Promise<string> {
  const { stdout, stderr } = await coldfetch(argv, world);
  return stdout + stderr;
}

/** Expects lines in which nothing acts on a terminal or a CI service; cursor codes of the command's own bar aside. */
function expectInert(text: string): void {
  expect(text).not.toBe('');
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
  expect(text).not.toMatch(/^\s*::|##(\[|vso)/m);
}

describe('text that others wrote, on its way to the terminal', () => {
  it('of an API error', async () => {
    const { url } = await loopback((_, response) =>
      response.writeHead(400).end(JSON.stringify({ error: HOSTILE, details: [{ message: HOSTILE }] })),
    );
    const text = await written(['upload', await folderOf({ 'a.png': 'x' }), '--api', url, ...SOURCE]);
    expectInert(text);
    expect(text).toContain('\\x1b[2J');
  });

  it('of an API error that is long', async () => {
    const { url } = await loopback((_, response) => response.writeHead(400).end(JSON.stringify({ error: 'x'.repeat(60_000) })));
    expect((await written(['upload', await folderOf({ 'a.png': 'x' }), '--api', url, ...SOURCE])).length).toBeLessThan(1_000);
  });

  it('of a reason phrase', async () => {
    expectInert(await written(['get', await answering('HTTP/1.1 404 \x1b[31m\x9bno ##[error]', 'content-length: 0', '', '')]));
  });

  it.each([[true], [false]])('of the XML of object storage, of build ids and of build URLs (terminal: %s)', async (isTTY) => {
    const image = 'x';
    const api = await buildApi(
      {
        build: { id: HOSTILE, url: `https://host/${HOSTILE}` },
        screenshots: [{ key: keyOf(image), postUrl: '/storage', fields: {} }],
      },
      { status: 400, body: `<Error><Code>${HOSTILE}</Code><Message>${HOSTILE}</Message></Error>` },
    );
    const text = await written(['upload', await folderOf({ 'a.png': image }), '--api', api, ...SOURCE], { isTTY });
    // The bar's own cursor codes come first.
    expectInert(text.replace(/^.*\x1b\[2K/s, ''));
  });

  it('of file names', async () => {
    const folder = await folderOf({ '\x1b[2J\n##[error]::x\u202e.png': 'x', 'empty\x9b.png': '' });
    expectInert(await written(['upload', folder, '--embedded']));
  });

  it('of its own arguments', async () => {
    for (const argv of [
      [HOSTILE],
      ['upload', '.', HOSTILE],
      ['upload', HOSTILE],
      ['get', HOSTILE],
      ['get', `http://127.0.0.1:1/${HOSTILE}`],
    ]) {
      expectInert(await written([...argv, ...(argv[0] === 'upload' ? ['--embedded'] : [])]));
    }
    expectInert(await written(['upload', '.', '--token', 'x', '--commit', HOSTILE, '--branch', 'main']));
    expectInert(await written(['get', 'http://127.0.0.1:1/', '--policy', HOSTILE]));
    expectInert(await written(['explain', `429 ${HOSTILE}`]));
  });

  it('of events as JSON, which mean the same', async () => {
    const { url } = await loopback((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([HOSTILE])),
    );
    const text = await written(['get', url, '--json']);
    expectInert(text);
    expect((JSON.parse(text.trim().split('\n').at(-1) ?? '') as { body: unknown }).body).toEqual([HOSTILE]);
  });

  it('of a body on a terminal, while a file or a pipe gets it as it came', async () => {
    const { url } = await loopback((_, response) => response.end(HOSTILE));
    expect(await written(['get', url])).toBe(HOSTILE);
    expect(await written(['get', url], { isTTY: true })).not.toMatch(/[^\n\P{Cc}]/u);
  });

  it.each([
    ['items', '["\u202e\x9b"]', ['--paginate']],
    ['lines', '"\u202e\x9b"\n', ['--follow']],
  ])('of %s on a terminal', async (_case, body, options) => {
    const { url } = await loopback((_, response) => response.end(body));
    expect(await written(['get', url, ...options], { isTTY: true })).toBe('"\\u202e\\u009b"\n');
    expect(await written(['get', url, ...options])).toBe('"\u202e\x9b"\n');
  });

  it('of server-sent events on a terminal', async () => {
    const { url } = await loopback((request, response) => {
      if (request.headers['last-event-id'] === '1') response.writeHead(204).end();
      else response.setHeader('content-type', 'text/event-stream').end('retry: 1\nid: 1\ndata: a\x1b[2J\ndata: b\n\n');
    });
    expect(await written(['get', url, '--follow'], { isTTY: true })).toBe('a\\x1b[2J\nb\n');
  });
});

describe('coldfetch upload on a terminal that is none', () => {
  it.each([
    ['TERM=dumb', { TERM: 'dumb' }],
    ['a CI service with a terminal', { CI: 'true' }],
  ])('sends no cursor codes: %s', async (_case, env) => {
    const { code, stdout } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), '--embedded'], { isTTY: true, env });
    expect([code, stdout.includes('\x1b'), stdout.includes('1 of 1 uploaded: a.png')]).toEqual([0, false, true]);
  });
});
