import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

/** A failure of a connection, and when it comes. */
export type Fault =
  | 'reset before the answer'
  | 'reset in the body'
  | 'reset after the body'
  | 'reset in the headers'
  | 'wrong length'
  | 'no answer'
  | 'silence in the answer'
  | '1-byte chunks'
  | 'a page of HTML';

/** Addresses of a proxy: each leads to it, and not each works. */
export interface Addresses {
  /** Address without TLS. */
  readonly plain: string;
  /** Address by TLS, with a certificate of an authority that is not known. */
  readonly untrusted: string;
  /** Address by TLS of a port that has none. */
  readonly withoutTls: string;
  /** Address at which nothing listens. */
  readonly closed: string;
}

/** A proxy in front of a server. */
export interface FaultyProxy extends Addresses {
  /** Ends the proxy when all requests are over, here and at the server: a client that has left one open keeps it from ending. */
  close(): Promise<void>;
}

/**
 * Passes requests on to the server at `target`, but for those that `faultOf` gives a fault, or a status to answer with. The origin of the server in answers is replaced by that of
 * the proxy, so that links lead here, too.
 *
 * @param linksAs which of the proxy's addresses links have
 */
export async function faultyProxy(
  target: string,
  faultOf: (request: string) => Fault | number | undefined,
  linksAs: keyof Addresses = 'plain',
): Promise<FaultyProxy> {
  const passes: Promise<unknown>[] = [];
  const listener: RequestListener = (request, response) => {
    passes.push(pass(request, response).catch(() => response.destroy()));
  };
  const plainServer = createServer(listener);
  const pem = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
  const tlsServer = createTlsServer({ key: pem('server-key'), cert: pem('server') }, listener);
  const [port, tlsPort] = await Promise.all([plainServer, tlsServer].map(listen));
  const addresses: Addresses = {
    plain: `http://127.0.0.1:${port}`,
    untrusted: `https://127.0.0.1:${tlsPort}`,
    withoutTls: `https://127.0.0.1:${port}`,
    // No server is given this port, while a port that was free a moment ago may be another one's by now.
    closed: 'http://127.0.0.1:2',
  };

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    const fault = faultOf(`${request.method} ${request.url}`);
    if (fault === 'reset before the answer') return void socket.resetAndDestroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      if (fault === 'reset in the body') return void socket.resetAndDestroy();
      chunks.push(chunk as Buffer);
    }
    if (fault === 'no answer') return;
    if (typeof fault === 'number') {
      // The shortest wait that clients take from a server.
      response.writeHead(fault, fault === 429 ? { 'retry-after': '1' } : {}).end();
      return;
    }
    if (fault === 'a page of HTML') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
      return;
    }
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const answer = await fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = (await answer.text()).replaceAll(target, addresses[linksAs]);
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
      case 'silence in the answer':
        response.writeHead(answer.status, { ...fields, 'content-length': text.length + 10 }).write(text);
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

  return {
    ...addresses,
    close: async () => {
      await Promise.all([...passes, end(plainServer), end(tlsServer)]);
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

/** Closes connections that are idle, and waits for the others. */
function end(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
