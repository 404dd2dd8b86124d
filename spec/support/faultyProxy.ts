import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A failure of a connection, and when it comes. */
export type Fault =
  'reset before the answer' | 'reset in the body' | 'reset after the body' | 'reset in the headers' | 'wrong length' | '1-byte chunks';

/** A proxy in front of a server, as a base URL of its own. */
export interface FaultyProxy {
  readonly url: string;
}

/**
 * Passes requests on to the server at `target`, but for those that `faultOf` gives a fault, or a status to answer with. The origin of the server is replaced by that of the proxy in
 * answers, so that links lead here, too.
 */
export async function faultyProxy(target: string, faultOf: (request: string) => Fault | number | undefined): Promise<FaultyProxy> {
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    const fault = faultOf(`${request.method} ${request.url}`);
    if (fault === 'reset before the answer') return void socket.resetAndDestroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      if (fault === 'reset in the body') return void socket.resetAndDestroy();
      chunks.push(chunk as Buffer);
    }
    if (typeof fault === 'number') {
      response.writeHead(fault).end();
      return;
    }
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const answer = await fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = (await answer.text()).replaceAll(target, url);
    const fields: OutgoingHttpHeaders = { 'content-type': answer.headers.get('content-type') ?? 'text/plain' };
    switch (fault) {
      case 'reset after the body':
        return void socket.resetAndDestroy();
      case 'reset in the headers':
        socket.write('HTTP/1.1 200 OK\r\ncontent-', () => socket.resetAndDestroy());
        return;
      case 'wrong length':
        response.writeHead(answer.status, { ...fields, 'content-length': text.length + 10 }).write(text);
        socket.end();
        return;
      case '1-byte chunks':
        response.writeHead(answer.status, fields);
        for (const character of text) response.write(character);
        response.end();
        return;
      default:
        response.writeHead(answer.status, fields).end(text);
    }
  }

  return { url };
}
