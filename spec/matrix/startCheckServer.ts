import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Received, ServerLog, Step } from './checks/CheckServer.js';

/** The server of the checks: each check tells it what to answer (`POST /script/KEY`), and asks what it has seen (`GET /log/KEY`). */
export interface RunningCheckServer {
  /** Origin of the server. A second one, for checks across origins, is the same with `localhost` for `127.0.0.1`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Characters of a body that are kept. */
const KEPT = 1024;
const BETWEEN_CHUNKS = 30;
/** Milliseconds before a connection breaks: what came with the break would be lost. */
const BEFORE_BREAK = 500;
const EXPOSED = 'retry-after, ratelimit, ratelimit-policy, link, etag, date, location, x-seen';

interface Account {
  readonly steps: readonly Step[];
  readonly requests: { -readonly [K in keyof Received]: Received[K] }[];
  readonly start: number;
  open: number;
  most: number;
}

/** @param page HTML at `/`, and scripts at their paths, for a browser */
export async function startCheckServer(page: Readonly<Record<string, string>> = {}): Promise<RunningCheckServer> {
  const accounts = new Map<string, Account>();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const [, first = '', second = '', ...rest] = pathname.split('/');
    const file = page[pathname];
    if (file !== undefined) {
      response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html').end(file);
      return;
    }
    const account = accounts.get(first);
    if (account?.steps.every(({ cors }) => cors !== false) ?? true) allowOthers(request, response);
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    if (first === 'script') {
      const steps = JSON.parse(await bodyOf(request)) as Step[];
      accounts.set(second, { steps, requests: [], start: performance.now(), open: 0, most: 0 });
      response.end();
    } else if (first === 'log') {
      const { requests = [], most = 0 } = accounts.get(second) ?? {};
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ requests, most } satisfies ServerLog));
    } else if (account === undefined) {
      response.writeHead(404).end();
    } else {
      await answer(account, `/${[second, ...rest].join('/')}${search}`, request, response);
    }
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function allowOthers(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
  response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  response.setHeader('access-control-expose-headers', EXPOSED);
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*');
}

async function answer(account: Account, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const step = account.steps[Math.min(account.requests.length, account.steps.length - 1)] ?? {};
  const headers = request.headers as Received['headers'];
  const received = {
    method: request.method ?? '',
    path,
    headers,
    bytes: 0,
    text: '',
    at: performance.now() - account.start,
    abandoned: false,
  };
  account.requests.push(received);
  account.open += 1;
  account.most = Math.max(account.most, account.open);
  response.on('close', () => {
    account.open -= 1;
    received.abandoned = !response.writableFinished;
  });
  if (step.missing !== 'answer') await readInto(received, request, step.readRate);
  if (step.after !== undefined) await sleep(step.after);
  if (step.reset === 'before') response.destroy();
  else if (step.missing !== 'answer') await write(step, request, response);
}

async function readInto(received: Account['requests'][number], request: IncomingMessage, rate = Infinity): Promise<void> {
  const start = performance.now();
  for await (const chunk of request as AsyncIterable<Buffer>) {
    received.bytes += chunk.length;
    if (received.text.length < KEPT) received.text += chunk.toString('latin1', 0, KEPT);
    const early = start + (received.bytes / rate) * 1000 - performance.now();
    if (early > 10) await sleep(early);
  }
}

async function write(step: Step, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const json = step.json === undefined ? {} : { 'content-type': 'application/json' };
  const whole = step.json === undefined ? (step.text ?? '') : JSON.stringify(step.json);
  // One that is not whole says how long it would have been.
  const length = step.reset === 'behind' && step.chunks === undefined ? { 'content-length': String(whole.length + 100) } : {};
  response.writeHead(step.status ?? 200, { ...json, ...length, ...step.headers });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  for (const chunk of step.chunks ?? (whole === '' ? [] : [whole])) {
    response.write(chunk);
    if (step.chunks !== undefined) await sleep(BETWEEN_CHUNKS);
  }
  if (step.reset === 'behind') {
    await sleep(BEFORE_BREAK);
    response.destroy();
  } else if (step.missing !== 'end') {
    response.end();
  } else {
    response.flushHeaders();
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
