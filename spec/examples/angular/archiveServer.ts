import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

/** A request that the server has received. */
export interface ReceivedRequest {
  /** Method, path below `/api/` and query. */
  readonly line: string;
  /** True if the page has dropped it before its answer. */
  aborted: boolean;
}

/** Treatment of one request, instead of the usual answer. */
export type Answer =
  /** Neither an answer nor a read of the body until `release`. */
  'hold' | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** Server of the example: the built application, and the API that it asks. */
export interface ArchiveServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** Says how the next requests whose line begins with `line` are answered, in order; the usual answers come after these. */
  script(line: string, ...answers: readonly Answer[]): void;
  /** Answers all that is held as usual. */
  release(): void;
  close(): Promise<void>;
}

const TITLES = [
  'North mole',
  'Fish market',
  'Low tide',
  'The old crane',
  'Ferry at dusk',
  'Net menders',
  'First snow',
  'Regatta',
  'Fog horn',
];
const PAGES = 3;
const PAGE_SIZE = 6;
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/**
 * Starts the server on a free port of the loopback interface.
 *
 * @param folder files of the application, as `ng build` has written them
 */
export async function startArchiveServer(folder: string): Promise<ArchiveServer> {
  const requests: ReceivedRequest[] = [];
  const scripts: { readonly line: string; readonly answers: Answer[] }[] = [];
  const held = new Set<() => void>();

  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (!path.startsWith('/api/')) {
      sendFile(folder, path, response);
      return;
    }
    const received = { line: `${request.method ?? ''} ${path.slice('/api/'.length)}`, aborted: false };
    requests.push(received);
    const usual = (): void => answerUsually(request, response);
    response.on('close', () => {
      received.aborted = !response.writableFinished;
      held.delete(usual);
    });
    const answer = scripts.find(({ line, answers }) => answers.length > 0 && received.line.startsWith(line))?.answers.shift();
    if (answer === 'hold') held.add(usual);
    else if (answer) request.resume().on('end', () => response.writeHead(answer.status, answer.headers).end());
    else usual();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (line, ...answers) => void scripts.push({ line, answers: [...answers] }),
    release: () => {
      for (const answer of [...held]) answer();
      held.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerUsually(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const answer = (body: unknown): void => void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  if (request.method === 'POST') request.resume().on('end', () => answer({ name: searchParams.get('name') }));
  else if (pathname === '/api/account') answer({ name: 'Ada Lindqvist', used: 3_200_000_000, quota: 10_000_000_000 });
  else if (pathname === '/api/report') answer({ photos: 12_480, visitors: 1311, busiest: '14 to 15' });
  else if (pathname === '/api/photos') answer(photoPage(Number(searchParams.get('page') ?? 1)));
  else response.writeHead(404).end();
}

function photoPage(page: number): object {
  const photos = Array.from({ length: PAGE_SIZE }, (_, index) => {
    const id = (page - 1) * PAGE_SIZE + index + 1;
    return { id, title: TITLES[(id * 4) % TITLES.length], year: 1890 + ((id * 13) % 70) };
  });
  return { photos, page, pages: PAGES };
}

/** Sends a file of the application; its page for every path that is none, since its router knows the others. */
function sendFile(folder: string, path: string, response: ServerResponse): void {
  const file = join(folder, new URL(path, 'http://localhost').pathname);
  const found = extname(file) !== '' && existsSync(file) ? file : join(folder, 'index.html');
  response.setHeader('content-type', TYPES[extname(found)] ?? 'application/octet-stream').end(readFileSync(found));
}
