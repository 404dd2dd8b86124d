import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { contentTypeOf } from '../../../node/files/inspectFile.js';
import type { UploadTracer } from './uploadTracer.js';
import { waterfallPage } from './waterfallPage.js';

/** Time between two events, in ms. */
const TICK = 250;
/** Time for the last event to be read, in ms; a reader that is slower is cut off, so that the command ends. */
const LAST = 1_000;

/** Server of the page of a running upload. */
export interface LiveServer {
  readonly url: string;
  /** Sends the last state, then stops. */
  readonly end: () => void;
}

interface Reader {
  readonly response: ServerResponse;
  /** Version that the reader knows. */
  version: number;
}

/**
 * Serves the waterfall of a running upload, and its changes as server-sent events: on loopback only, under a path that cannot be guessed,
 * to requests that name this very host (a page of another site that had its name point here is refused).
 *
 * @param folder of the files, as an absolute path: their images are served
 */
export async function startLiveServer(tracer: UploadTracer, folder: string): Promise<LiveServer> {
  const secret = randomBytes(18).toString('base64url');
  const readers = new Set<Reader>();
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const refusal = refusalOf(request, port);
    if (refusal !== undefined) {
      response.writeHead(refusal).end();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [, given = '', ...rest] = pathname.split('/');
    const route = isSame(given, secret) ? rest.join('/') : undefined;
    const [, index] = /^files\/(\d{1,9})$/.exec(route ?? '') ?? [];
    if (route === '') sendPage(response);
    else if (route === 'events') addReader(request, response, searchParams.get('since'));
    else if (index !== undefined) sendImage(response, Number(index));
    else response.writeHead(404).end();
  });

  function sendPage(response: ServerResponse): void {
    const version = tracer.version();
    response.setHeader('content-type', 'text/html; charset=utf-8').end(waterfallPage(tracer.read(), { live: version }));
  }

  function addReader(request: IncomingMessage, response: ServerResponse, since: string | null): void {
    const reader = { response, version: versionOf(request.headers['last-event-id'] ?? since) };
    readers.add(reader);
    response.on('close', () => readers.delete(reader));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    sendChanges(reader);
  }

  function sendChanges(reader: Reader): void {
    const { version, ...changes } = tracer.changesSince(reader.version);
    reader.version = version;
    reader.response.write(`id: ${version}\nevent: changes\ndata: ${JSON.stringify({ version, ...changes })}\n\n`);
  }

  function sendImage(response: ServerResponse, index: number): void {
    const row = tracer.rowAt(index);
    const type = row && contentTypeOf(row.label);
    const path = row && resolve(join(folder, row.label));
    if (row?.kind !== 'file' || !type?.startsWith('image/') || !path?.startsWith(folder + sep)) {
      response.writeHead(404).end();
      return;
    }
    const file = createReadStream(path);
    file.once('open', () => response.writeHead(200, { 'content-type': type }));
    pipeline(file, response, (error) => {
      // A missing file is no picture; a reader that has left wants none.
      if (error && !response.headersSent) response.writeHead(404).end();
    });
  }

  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(0, '127.0.0.1', listening);
  });
  const ticking = setInterval(() => {
    for (const reader of readers) if (!reader.response.writableNeedDrain) sendChanges(reader);
  }, TICK);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${secret}/`,
    end: () => {
      clearInterval(ticking);
      for (const reader of readers) {
        sendChanges(reader);
        reader.response.end();
      }
      server.close();
      setTimeout(() => server.closeAllConnections(), LAST).unref();
    },
  };
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Status for a request of a kind that is refused. */
function refusalOf({ headers, method }: IncomingMessage, port: number): number | undefined {
  if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(headers.host ?? '')) return 403;
  return method === 'GET' ? undefined : 405;
}

/** True if two texts are the same, in a time that does not reveal where they differ. */
function isSame(a: string, b: string): boolean {
  const [given, wanted] = [Buffer.from(a), Buffer.from(b)];
  return given.byteLength === wanted.byteLength && timingSafeEqual(given, wanted);
}

function versionOf(text: string | string[] | null): number {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
