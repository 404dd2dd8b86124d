import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type HttpClient, type HttpEvent, isHttpError, httpCache } from 'coldfetch';
import { fileBody, fileCache, multipartBody, recorder } from 'coldfetch/node';
import { connectRedis, sharedLimiter } from 'coldfetch/redis';
import { startServer } from 'coldfetch/server';
import { tracing } from 'coldfetch/opentelemetry';
import { lastValueFrom } from 'rxjs';
import { failsBy, holds, same, valuesOf } from './assert.js';
import type { Check } from './Check.js';

/** Checks of Node, Bun and Deno: files, servers, and abilities that `fetch` has there only. */
export const onServers: readonly Check[] = [
  {
    name: 'a redirect to another origin gets no header fields and no body',
    run: async (serve) => {
      const there = await serve({ json: 1 });
      const here = await serve({ status: 307, headers: { location: there.abroad } });
      const http = createClient({ baseUrl: here.url, headers: { 'x-api-key': 'secret' } });
      await lastValueFrom(http.get('/'));
      const [first] = (await here.log()).requests;
      const [second] = (await there.log()).requests;
      same([first?.headers['x-api-key'], second?.headers['x-api-key']], ['secret', undefined]);
    },
  },
  {
    name: 'bytes in memory tell their progress by 64 KiB',
    run: async (serve) => {
      const { url } = await serve({ status: 204 });
      const events = await valuesOf(createClient({ baseUrl: url }).post('/', new Uint8Array(1_000_000), { observe: 'events' }));
      const told = loadedIn(events);
      holds(told.length >= 15 && told.every((loaded, index) => loaded - (told[index - 1] ?? 0) <= 65_536), told);
    },
  },
  {
    name: 'a stream of a known length is sent with it, and anew by a retry',
    run: async (serve) => {
      const { url, log } = await serve({ status: 429, headers: { 'retry-after': '0' } }, { status: 204 });
      const body = () => ({ stream: new Blob(['0123456789']).stream(), length: 10 });
      await lastValueFrom(createClient({ baseUrl: url }).post('/', body));
      same(
        (await log()).requests.map(({ text, headers }) => [text, headers['content-length']]),
        [
          ['0123456789', '10'],
          ['0123456789', '10'],
        ],
      );
    },
  },
  {
    name: 'a stream without a length is sent, and not twice',
    run: async (serve) => {
      const { url, log } = await serve({ status: 429, headers: { 'retry-after': '0' } });
      await failsBy(createClient({ baseUrl: url }).post('/', new Blob(['0123456789']).stream()), isHttpError);
      same(
        (await log()).requests.map(({ text }) => text),
        ['0123456789'],
      );
    },
  },
  {
    name: 'a file is sent with its length and type, and tells its progress',
    run: (serve) =>
      inFolder(async (folder) => {
        const { url, log } = await serve({ status: 204 });
        await writeFile(join(folder, 'page.png'), new Uint8Array(300_000));
        const events = await valuesOf(createClient({ baseUrl: url }).put('/', fileBody(join(folder, 'page.png')), { observe: 'events' }));
        const [request] = (await log()).requests;
        same([request?.bytes, request?.headers['content-length'], request?.headers['content-type']], [300_000, '300000', 'image/png']);
        holds(loadedIn(events).length >= 3 && loadedIn(events).at(-1) === 300_000, loadedIn(events));
      }),
  },
  {
    name: 'a form with a file is streamed with its length',
    run: (serve) =>
      inFolder(async (folder) => {
        const { url, log } = await serve({ status: 204 });
        await writeFile(join(folder, 'page.png'), 'bytes of a file');
        const body = multipartBody({ name: 'Ada' }, { path: join(folder, 'page.png') });
        await lastValueFrom(createClient({ baseUrl: url }).post('/', body));
        const [request] = (await log()).requests;
        holds(request?.text.includes('bytes of a file') === true && request.headers['content-length'] === String(request.bytes), request);
      }),
  },
  {
    name: 'answers are kept in a folder',
    run: (serve) =>
      inFolder(async (folder) => {
        const { url, log } = await serve({ json: 1, headers: { 'cache-control': 'max-age=60' } });
        const client = () => createClient({ baseUrl: url, cache: httpCache({ store: fileCache(folder), storeTimeout: 10_000 }) });
        same([await lastValueFrom(client().get('/')), await lastValueFrom(client().get('/'))], [1, 1]);
        same((await log()).requests.length, 1);
      }),
  },
  {
    name: 'answers are recorded and replayed',
    run: (serve) =>
      inFolder(async (folder) => {
        const { url, log } = await serve({ json: { id: 1 } });
        same(await lastValueFrom(createClient({ fetch: recorder(folder) }).get(url)), { id: 1 });
        same(await lastValueFrom(createClient({ fetch: recorder(folder, { mode: 'replay' }) }).get(url)), { id: 1 });
        same((await log()).requests.length, 1);
      }),
  },
  {
    name: 'the embedded server limits, and is waited for',
    run: async () => {
      const server = await startServer({ limit: { requests: 2, windowMs: 1000, routes: 'all' } });
      const http = createClient({ baseUrl: server.url });
      const days = [];
      for (const day of [1, 2, 3]) days.push(await lastValueFrom(http.get(`/mock/daily/2025-01-0${day}`)));
      same(days.length, 3);
      await server.close();
    },
  },
  {
    name: 'a shared limiter goes on without its Redis',
    run: async (serve) => {
      const { url } = await serve({ json: 1 });
      const { client, close } = await connectRedis('redis://127.0.0.1:1');
      const limiter = sharedLimiter({ client });
      same(await lastValueFrom(createClient({ baseUrl: url, pace: limiter }).get('/')), 1);
      limiter.close();
      await close();
    },
  },
  {
    name: "undici's dispatcher sends, retries and is aborted",
    run: async (serve) => {
      const { undici } = await import('coldfetch/undici');
      const { url, logWhen } = await serve({ status: 503 }, { json: 1 }, { missing: 'answer' });
      const http = createClient({ baseUrl: url, transport: undici() });
      same(await lastValueFrom(http.put('/', new Uint8Array(100_000))), 1);
      const subscription = http.get('/').subscribe();
      await logWhen(({ requests }) => requests.length === 3);
      subscription.unsubscribe();
      await logWhen(({ requests: [, , third] }) => third?.abandoned === true);
    },
  },
  {
    name: 'NestJS injects a client, and ends its waits with the application',
    run: async (serve) => {
      await import('reflect-metadata');
      const { NestFactory } = await import('@nestjs/core');
      const { ColdfetchModule, getClientToken } = await import('coldfetch/nest');
      const { url, logWhen } = await serve({ json: 1 }, { status: 429, headers: { 'retry-after': '60' } });
      const app = await NestFactory.createApplicationContext(ColdfetchModule.register({ baseUrl: url }));
      const http = app.get<HttpClient>(getClientToken());
      same(await lastValueFrom(http.get('/')), 1);
      const ended = failsBy(http.get('/'), isAbortError);
      await logWhen(({ requests }) => requests.length === 2);
      await app.close();
      await ended;
    },
  },
  {
    name: 'a traced client sends',
    run: async (serve) => {
      const { url } = await serve({ json: 1 });
      same(await lastValueFrom(createClient({ baseUrl: url, ...tracing() }).get('/')), 1);
    },
  },
  {
    name: 'CommonJS can require it',
    run: async (serve) => {
      const { url } = await serve({ json: 1 });
      const { createClient: required } = createRequire(import.meta.url)('coldfetch') as { readonly createClient: typeof createClient };
      same(await lastValueFrom(required({ baseUrl: url }).get('/')), 1);
    },
  },
  {
    name: 'the version is in package.json',
    run: async () => {
      const manifest = JSON.parse(await readFile(new URL(import.meta.resolve('coldfetch/package.json')), 'utf8')) as { name: string };
      same(manifest.name, 'coldfetch');
    },
  },
];

function isAbortError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'AbortError';
}

function loadedIn(events: readonly HttpEvent[]): readonly number[] {
  return events.flatMap((event) => (event.type === 'upload' ? [event.loaded] : []));
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'coldfetch-check-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
