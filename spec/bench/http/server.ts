/**
 * The server of the benchmark, in a process of its own. Tells its parent its origins:
 *
 * - plain: `/json?bytes=N` answers N bytes of JSON to any method; `/parked?key=K&seconds=S` answers 429 for S seconds from the first request on;
 *   `/api` starts the server of `coldfetch/server` anew, without files, and answers with its address
 * - limited: `/burst?key=K&n=N`, behind express-rate-limit as it comes, for each key; `/burst/seen?key=K` tells what came
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { type RunningServer, startServer } from 'coldfetch/server';
import { BURST, type Origins } from './settings.js';

/** Requests of one tool to the limited server. */
interface Seen {
  sent: number;
  refused: number;
  early: number;
  /** Moment from which a refused request may come again, by its number. */
  readonly allowedAt: Map<string, number>;
}

const bodies = new Map<number, Buffer>();
const parkedUntil = new Map<string, number>();
const seen = new Map<string, Seen>();

function jsonOf(bytes: number): Buffer {
  const known = bodies.get(bytes);
  if (known) return known;
  const items: unknown[] = [];
  while (JSON.stringify({ items }).length < bytes)
    items.push({ id: items.length, name: `item ${items.length}`, tags: ['a', 'b'], ok: true });
  const body = Buffer.from(JSON.stringify({ items }));
  bodies.set(bytes, body);
  return body;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server.test');
  if (pathname === '/json') {
    const body = jsonOf(Number(searchParams.get('bytes')));
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.byteLength }).end(body);
    });
    return;
  }
  if (pathname === '/api') {
    void freshApi().then((url) => response.end(url));
    return;
  }
  const key = searchParams.get('key') ?? '';
  const now = Date.now();
  const until = parkedUntil.get(key) ?? now + Number(searchParams.get('seconds')) * 1000;
  parkedUntil.set(key, until);
  const rest = until - now;
  if (rest > 0) response.writeHead(429, { 'retry-after': String(Math.ceil(rest / 1000)) }).end();
  else response.end('{}');
}

const limited = express();
const parameter = (request: express.Request, name: string): string =>
  new URL(request.url, 'http://server.test').searchParams.get(name) ?? '';
const seenBy = (request: express.Request): Seen => {
  const name = parameter(request, 'key');
  const found = seen.get(name) ?? { sent: 0, refused: 0, early: 0, allowedAt: new Map<string, number>() };
  seen.set(name, found);
  return found;
};
limited.get('/burst/seen', (request, response) => {
  const { sent, refused, early } = seenBy(request);
  response.json({ sent, refused, early });
});
limited.use((request, response, next) => {
  const tool = seenBy(request);
  const number = parameter(request, 'n');
  tool.sent += 1;
  // A clock that is a little behind is no fault.
  if ((tool.allowedAt.get(number) ?? 0) - Date.now() > 50) tool.early += 1;
  response.on('finish', () => {
    if (response.statusCode !== 429) return;
    tool.refused += 1;
    tool.allowedAt.set(number, Date.now() + Number(response.getHeader('retry-after')) * 1000);
  });
  next();
});
limited.use(rateLimit({ limit: BURST.limit, windowMs: BURST.windowMs, keyGenerator: (request) => parameter(request, 'key') }));
limited.get('/burst', (_, response) => {
  response.json({ ok: true });
});

const listening = (server: ReturnType<typeof createServer>): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });

let api: RunningServer | undefined;
/** Base URL of an API that has no files yet. */
async function freshApi(): Promise<string> {
  await api?.close();
  api = await startServer({ limit: { requests: 1_000_000 } });
  return api.apiUrl;
}

process.on('disconnect', () => {
  void (api?.close() ?? Promise.resolve()).finally(() => process.exit());
});
process.send?.({ plain: await listening(createServer(answer)), limited: await listening(createServer(limited)) } satisfies Origins);
