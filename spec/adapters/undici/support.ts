import { readFileSync } from 'node:fs';
import type http2 from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { MockAgent } from 'undici';
import { onTestFinished } from 'vitest';
import { type ClientOptions, createClient, type HttpClient } from 'coldfetch';
import { type Dispatcher, undici } from 'coldfetch/undici';

/** A client that sends by a dispatcher, each request once. */
export function clientOf(dispatcher: Dispatcher, options: ClientOptions = {}): HttpClient {
  return createClient({ transport: undici({ dispatcher }), retry: false, ...options });
}

/** A dispatcher that lives as long as the spec that asked for it. */
export function forSpec<D extends { close(): Promise<void>; destroy(): Promise<void> }>(dispatcher: D): D {
  onTestFinished(() => (dispatcher instanceof MockAgent ? dispatcher.close() : dispatcher.destroy()));
  return dispatcher;
}

/** A file of the certificates of specs, in PEM; they are valid until 2126. */
export function pem(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));
}

/** Lets a server listen for as long as the spec lasts: at a path, or on loopback at the port that it gives. */
export async function listening(server: Server | http2.Http2SecureServer, path?: string): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket: { destroy(): void }) => sockets.add(socket));
  onTestFinished(async () => {
    sockets.forEach((socket) => {
      socket.destroy();
    });
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => {
    if (path === undefined) server.listen(0, '127.0.0.1', resolve);
    else server.listen(path, resolve);
  });
  return path === undefined ? (server.address() as AddressInfo).port : 0;
}
