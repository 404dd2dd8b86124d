import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server on the loopback interface that lives as long as the spec that asked for it. */
export interface Loopback {
  /** Origin of the server: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The connections that are open now. */
  readonly sockets: ReadonlySet<Socket>;
  /** The requests that came, by method and path. */
  readonly requests: string[];
}

/** Answers with `handler`; gone, with all its connections, when the spec is over. */
export async function loopback(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<Loopback> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    handler(request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  onTestFinished(() => stop(server));
  return { url: await listen(server), sockets, requests };
}

/** Reads a request to its end. */
export function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
