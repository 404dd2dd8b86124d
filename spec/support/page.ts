import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { forBrowsers } from './browserFiles.js';
import { launchChromium } from './chromium.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An observable as a page saw it: events without their header fields, and how it ended. */
export interface Played {
  readonly events: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly error?: { readonly name: string; readonly message: string; readonly status?: number; readonly code?: string };
}

/** A real page that has loaded the library, and two origins to send requests to. */
export interface Playground {
  readonly page: Page;
  /** The origin of the page. */
  readonly home: string;
  /** Another origin of the same server. */
  readonly abroad: string;
  /** Requests that the server received. */
  readonly received: { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  /** Runs an expression of the page that gives an observable, with `coldfetch`, `rxjs`, `home` and `abroad` in reach. */
  play(expression: string): Promise<Played>;
  close(): Promise<void>;
}

const src = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

// Runs in the page.
const PLAY = `
  window.play = (source) => new Promise((resolve) => {
    const events = [];
    const plain = ({ headers, error, ...event }) => event;
    source.subscribe({
      next: (event) => events.push(typeof event === 'object' && event !== null && 'type' in event ? plain(event) : { type: 'value', value: event }),
      error: ({ name, message, status, code }) => resolve({ events, error: { name, message, status, code } }),
      complete: () => resolve({ events }),
    });
  });
`;

async function libraryScript(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * as rxjs from 'rxjs'; export * from '${src('index.ts')}'; export { xhr } from '${src('adapters/xhr/index.ts')}';`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'coldfetch',
    platform: 'browser',
    target: 'es2022',
    plugins: [forBrowsers],
  });
  return outputFiles.map(({ text }) => text).join('\n');
}

/** Opens a page whose server answers by path; the page itself is at `/`. */
export async function openPlayground(answers: Readonly<Record<string, Answer>>): Promise<Playground> {
  const received: Playground['received'] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/') {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>coldfetch</title>');
      return;
    }
    received.push({ method: request.method ?? '', path: pathname, headers: request.headers });
    const answer = answers[pathname];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  const port = await listen(server);
  const browser: Browser = await launchChromium();
  const page = await browser.newPage();
  const [home, abroad] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`] as const;
  await page.goto(home);
  const names = `Object.assign(window, { home: '${home}', abroad: '${abroad}', rxjs: coldfetch.rxjs })`;
  await page.addScriptTag({ content: [await libraryScript(), PLAY, names].join(';') });
  return {
    page,
    home,
    abroad,
    received,
    play: (expression) => page.evaluate<Played>(`play(${expression})`),
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}
