import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { buildClient, uploadPolicy } from 'coldfetch/node';
import { startServer } from 'coldfetch/server';
import { Agent, fetch as undiciFetch } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf, only, upload } from './support.js';

/** A build API behind a relay of bytes, which gives each connection to `watch`. */
async function behindRelay(watch: (client: Socket, server: Socket) => void) {
  const api = await startServer();
  onTestFinished(() => api.close());
  const { hostname, port } = new URL(api.url);
  const sockets = new Set<Socket>();
  let connections = 0;
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.pipe(server);
    server.pipe(client);
    connections++;
    watch(client, server);
  });
  await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  return { api, baseUrl: api.apiUrl.replace(api.url, url), connections: () => connections };
}

const { transient, unresolved } = uploadPolicy.rules;
const quick = {
  ...uploadPolicy,
  rules: { unresolved: { ...unresolved, backoff: () => 10 }, transient: { ...transient, backoff: () => 10 } },
};

describe('uploadBuild on a real network', () => {
  it('goes on by another connection where the server closed an idle one', async () => {
    const { api, baseUrl, connections } = await behindRelay((client, server) => {
      // Each connection ends behind its first answer, as at a server that keeps none.
      server.once('data', () => setImmediate(() => client.end()));
    });
    const http = buildClient({ token: 'x', baseUrl });
    const events = await upload(http, await folderOf({ 'a.png': 'a', 'b.png': 'b' }), { retry: quick });
    expect(only(events, 'summary')).toMatchObject([{ completed: true, arrived: 2 }]);
    expect([api.builds.length, connections() > 1]).toEqual([1, true]);
  });

  it('ends a half-open connection by its timeout, and sends the file again by another', async () => {
    let isSilenced = false;
    const { api, baseUrl } = await behindRelay((client, server) => {
      client.on('data', (chunk: Buffer) => {
        if (isSilenced || !chunk.includes('PUT /v2/builds/')) return;
        isSilenced = true;
        // Bytes of neither side arrive any more, and neither side hears of it.
        client.unpipe(server);
        server.unpipe(client);
      });
    });
    const http = buildClient({ token: 'x', baseUrl });
    const events = await upload(http, await folderOf({ 'a.png': 'a' }), { retry: { ...quick, timeout: 15_000 } });
    expect(only(events, 'wait')).toMatchObject([{ step: 'complete', kind: 'transient' }]);
    expect(only(events, 'summary')).toMatchObject([{ completed: true, arrived: 1 }]);
    expect([isSilenced, api.builds.length]).toEqual([true, 1]);
  });

  it('waits while a name is not resolved, and makes one build when it is', async () => {
    const api = await startServer();
    onTestFinished(() => api.close());
    let lookups = 0;
    const agent = new Agent({
      connect: {
        lookup: (name, _options, done) => {
          const failure = Object.assign(new Error(`getaddrinfo EAI_AGAIN ${name}`), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' });
          if (++lookups > 4) done(null, [{ address: '127.0.0.1', family: 4 }]);
          else done(failure, []);
        },
      },
    });
    onTestFinished(() => agent.destroy());
    const baseUrl = api.apiUrl.replace('127.0.0.1', 'api.test');
    const http = buildClient({
      token: 'x',
      baseUrl,
      fetch: (input, init) => undiciFetch(input as string, { ...init, dispatcher: agent } as never) as never,
    });
    const events = await upload(http, await folderOf({ 'a.png': 'a' }), { retry: quick });
    expect(only(events, 'wait')).toMatchObject([1, 2, 3, 4].map((attempt) => ({ step: 'create', kind: 'unresolved', attempt })));
    expect(only(events, 'summary')).toMatchObject([{ completed: true, arrived: 1 }]);
    expect(api.builds).toMatchObject([{ finalized: true }]);
  });
});
