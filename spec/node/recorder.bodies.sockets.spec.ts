import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { of } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { recorder } from '../../src/node/recorder.js';
import { answering, recordingFolder, rejectionOf, USERS } from './recorder.support.js';

describe('recorder', () => {
  const raw = recordingFolder();

  describe('a body that is not read to its end', () => {
    const endless = (): Response =>
      new Response(new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(10).fill(97)) }));

    it('is kept as far as it was read, and says so when it is replayed', async () => {
      const reader = (await recorder(raw.path, { fetch: () => of(endless()) })(USERS)).body?.getReader();
      await reader?.read();
      await reader?.read();
      await reader?.cancel();
      expect(JSON.parse(raw.textOf('.headers.json'))).toMatchObject({ complete: false, body: { bytes: 20 } });
      const replayed = await recorder(raw.path, { mode: 'replay' })(USERS);
      expect(await rejectionOf(replayed.text())).toMatchObject({ message: expect.stringContaining('ends here') });
    });

    it('does not take the place of a whole one', async () => {
      await (await recorder(raw.path, { fetch: answering('whole') })(USERS)).text();
      await (await recorder(raw.path, { fetch: () => of(endless()) })(USERS)).body?.cancel();
      expect(await (await recorder(raw.path, { mode: 'replay' })(USERS)).text()).toBe('whole');
    });

    it('of a failure that is let go, keeps status and header fields', async () => {
      await (
        await recorder(raw.path, { fetch: answering('busy', { status: 429, headers: { 'retry-after': '3' } }) })(USERS)
      ).body?.cancel();
      expect((await recorder(raw.path, { mode: 'replay' })(USERS)).headers.get('retry-after')).toBe('3');
    });

    it('leaves nothing when nobody reads it, or when it fails', async () => {
      const failing = new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('lost')) }));
      await recorder(raw.path, { fetch: answering('unread') })(USERS);
      expect(await rejectionOf((await recorder(raw.path, { fetch: () => of(failing) })(USERS)).text())).toMatchObject({ message: 'lost' });
      expect(raw.files()).toEqual([]);
    });
  });

  it('does not hold a chunk back until the rest has come', async () => {
    let send: ((text: string) => void) | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (text) => {
          controller.enqueue(new TextEncoder().encode(text));
        };
      },
    });
    const reader = (await recorder(raw.path, { fetch: () => of(new Response(body)) })(USERS)).body?.getReader();
    send?.('first');
    expect((await reader?.read())?.value).toEqual(new TextEncoder().encode('first'));
    await reader?.cancel();
  });

  it('reads no faster than its reader', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled++;
          controller.enqueue(new Uint8Array(65_536));
        },
      },
      { highWaterMark: 0 },
    );
    const reader = (await recorder(raw.path, { fetch: () => of(new Response(body)) })(USERS)).body?.getReader();
    for (let i = 0; i < 3; i++) await reader?.read();
    expect(pulled).toBe(3);
    await reader?.cancel();
  });

  describe('with a server', () => {
    let server: Server;
    const serve = async (listener: RequestListener): Promise<string> => {
      server = createServer(listener);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });

    it('records decoded bytes, and replays them with the server gone', async () => {
      const base = await serve((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync('{"n":1}'));
      });
      expect(await (await recorder(raw.path)(`${base}/rows`)).json()).toEqual({ n: 1 });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      const replayed = await recorder(raw.path, { mode: 'replay' })(`${base}/rows`);
      expect(replayed.url).toBe(`${base}/rows`);
      expect(await replayed.json()).toEqual({ n: 1 });
    });

    it('takes Request objects', async () => {
      const base = await serve((request, response) => response.end(request.method));
      await (await recorder(raw.path)(new Request(`${base}/rows`, { method: 'DELETE' }))).text();
      expect(await (await recorder(raw.path, { mode: 'replay' })(`${base}/rows`, { method: 'DELETE' })).text()).toBe('DELETE');
    });
  });
});
