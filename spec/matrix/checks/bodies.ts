import { createClient, type HttpEvent, isHttpError } from 'coldfetch';
import { lastValueFrom } from 'rxjs';
import { failsBy, holds, same, valuesOf } from './assert.js';
import type { Check } from './Check.js';

const MEGABYTE = 1_000_000;

// The system may hold 36 MB of what was sent (Linux on loopback): bodies are larger by so much that they move for longer. They are Blobs, since
// the driver of a page is told of bytes.
const LARGE = 84 * MEGABYTE;

/** Requests with a body. */
export const bodies: readonly Check[] = [
  {
    name: 'text, bytes, a buffer, a Blob and parameters arrive whole, with their length',
    run: async (serve) => {
      const { url, log } = await serve({ status: 204 });
      const http = createClient({ baseUrl: url });
      const bytes = new TextEncoder().encode('a=été');
      for (const body of ['a=été', bytes, bytes.buffer, new Blob([bytes]), new URLSearchParams({ a: 'été' })])
        await lastValueFrom(http.post('/', body));
      same(
        (await log()).requests.map(({ bytes: length, headers }) => [length, headers['content-length']]),
        [
          [7, '7'],
          [7, '7'],
          [7, '7'],
          [7, '7'],
          [15, '15'],
        ],
      );
    },
  },
  {
    name: 'the content type is that of the body',
    run: async (serve) => {
      const { url, log } = await serve({ status: 204 });
      const http = createClient({ baseUrl: url });
      for (const body of [new Blob(['x'], { type: 'image/png' }), new URLSearchParams('a=1'), 'text'])
        await lastValueFrom(http.post('/', body));
      same(
        (await log()).requests.map(({ headers }) => headers['content-type']?.toLowerCase().replace(/; ?charset=utf-8/, '')),
        ['image/png', 'application/x-www-form-urlencoded', 'text/plain'],
      );
    },
  },
  {
    name: 'a form arrives with its fields and files, and has a length',
    run: async (serve) => {
      const { url, log } = await serve({ status: 204 });
      const form = new FormData();
      form.append('name', 'Ada');
      form.append('file', new File(['bytes of a file'], 'f.png', { type: 'image/png' }));
      await lastValueFrom(createClient({ baseUrl: url }).post('/', form));
      const [request] = (await log()).requests;
      const boundary = /^multipart\/form-data; boundary="?([^"]+)"?$/.exec(request?.headers['content-type'] ?? '')?.[1];
      holds(boundary !== undefined && request?.text.startsWith(`--${boundary}\r\n`) === true, request);
      holds(request?.text.includes('filename="f.png"') === true && request.text.includes('bytes of a file'), request?.text);
      same(request?.headers['content-length'], String(request?.bytes));
    },
  },
  {
    name: 'a form is sent again by a retry',
    run: async (serve) => {
      const { url, log } = await serve({ status: 429, headers: { 'retry-after': '0' } }, { status: 204 });
      const form = new FormData();
      form.append('file', new File(['bytes of a file'], 'f.png'));
      await lastValueFrom(createClient({ baseUrl: url }).post('/', form));
      same(
        (await log()).requests.map(({ text }) => text.includes('bytes of a file')),
        [true, true],
      );
    },
  },
  {
    name: 'a body function is asked for each attempt',
    run: async (serve) => {
      const { url, log } = await serve({ status: 429, headers: { 'retry-after': '0' } }, { status: 204 });
      let calls = 0;
      await lastValueFrom(createClient({ baseUrl: url }).post('/', () => `body ${(calls += 1)}`));
      same(
        (await log()).requests.map(({ text }) => text),
        ['body 1', 'body 2'],
      );
    },
  },
  {
    name: 'a large body on a slow line is no timeout',
    run: async (serve) => {
      const { url, log } = await serve({ status: 204, readRate: 12 * MEGABYTE });
      const http = createClient({ baseUrl: url, timeout: 5000, retry: false, ...(await uploads()) });
      await lastValueFrom(http.post('/', new Blob([new Uint8Array(LARGE)])));
      same((await log()).requests[0]?.bytes, LARGE);
    },
  },
  {
    name: 'bytes in memory, a Blob and text tell their progress in pieces',
    run: async (serve) => {
      const { url } = await serve({ status: 204 });
      const http = createClient({ baseUrl: url, ...(await uploads()) });
      for (const body of [new Uint8Array(4 * MEGABYTE), new Blob([new Uint8Array(4 * MEGABYTE)]), 'x'.repeat(4 * MEGABYTE)]) {
        const told = uploadsIn(await valuesOf(http.post('/', body, { observe: 'events' })));
        holds(told.length >= 1 && told.at(-1)?.loaded === 4 * MEGABYTE && told.every(({ total }) => total === 4 * MEGABYTE), told);
      }
    },
  },
  {
    name: 'unsubscribing ends an upload',
    run: async (serve) => {
      const { url, logWhen } = await serve({ status: 204, readRate: 12 * MEGABYTE });
      const subscription = createClient({ baseUrl: url })
        .post('/', new Blob([new Uint8Array(LARGE)]))
        .subscribe();
      await logWhen(({ requests: [first] }) => (first?.bytes ?? 0) > 0);
      subscription.unsubscribe();
      await logWhen(({ requests: [first] }) => first?.abandoned === true);
    },
  },
  {
    name: 'an error that comes before the body is sent is told as such',
    run: async (serve) => {
      const { url } = await serve({ status: 413 });
      same((await failsBy(createClient({ baseUrl: url }).post('/', new Uint8Array(MEGABYTE)), isHttpError)).status, 413);
    },
  },
];

/** The transport that tells of uploads: in a page that is XMLHttpRequest's. */
async function uploads(): Promise<object> {
  if (!('XMLHttpRequest' in globalThis)) return {};
  const { xhr } = await import('coldfetch/xhr');
  return { transport: xhr() };
}

function uploadsIn(events: readonly HttpEvent[]): readonly Extract<HttpEvent, { readonly type: 'upload' }>[] {
  return events.filter((event) => event.type === 'upload');
}
