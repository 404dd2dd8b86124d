import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { firstValueFrom, forkJoin } from 'rxjs';
import { Agent, ProxyAgent } from 'undici';
import { describe, expect, it } from 'vitest';
import { isNetworkError, isTimeoutError } from 'coldfetch';
import { errorOf } from '../../support/errorOf.js';
import { folderOf } from '../../support/folderOf.js';
import { bodyOf, loopback } from '../../support/loopback.js';
import { clientOf, forSpec, listening, pem } from './support.js';

const ca = pem('ca');
const server = { key: pem('server-key'), cert: pem('server'), ca };

describe('HTTP/2', () => {
  const clientTo = (port: number) =>
    clientOf(forSpec(new Agent({ allowH2: true, connections: 1, connect: { ca } })), { baseUrl: `https://127.0.0.1:${port}/` });

  it('carries many requests on one connection, bodies of all kinds included', async () => {
    let connections = 0;
    const echo = http2.createSecureServer(server, (request, response) => {
      const { httpVersion, headers } = request;
      void bodyOf(request as object as http.IncomingMessage).then(({ length }) => {
        response.setHeader('x-version', httpVersion);
        response.end(JSON.stringify({ length, sent: headers['content-length'] }));
      });
    });
    echo.on('secureConnection', () => (connections += 1));
    const client = clientTo(await listening(echo));
    const large = 'x'.repeat(200_000);
    const bodies = ['small', large, new Blob([large]), new Blob([large]).stream(), { stream: new Blob(['typed']).stream(), length: 5 }];
    const answers = await firstValueFrom(forkJoin(bodies.map((body) => client.post('echo', body, { observe: 'response' }))));
    expect(answers.map(({ headers, body }) => [headers.get('x-version'), body])).toEqual([
      ['2.0', { length: 5, sent: '5' }],
      ['2.0', { length: 200_000, sent: '200000' }],
      ['2.0', { length: 200_000, sent: '200000' }],
      ['2.0', { length: 200_000 }],
      ['2.0', { length: 5, sent: '5' }],
    ]);
    expect(connections).toBe(1);
  });

  it('loses a stream that is silent, and none of the others', async () => {
    const silent = http2.createSecureServer(server, (request, response) => {
      if (request.url === '/moving') response.end('"moving"');
    });
    const client = clientTo(await listening(silent));
    const error = errorOf(client.get('silent', { timeout: 200 }));
    expect(await firstValueFrom(client.get('moving'))).toBe('moving');
    expect(isTimeoutError(await error)).toBe(true);
    expect(await firstValueFrom(client.get('moving'))).toBe('moving');
  });

  it('fails where the server resets a stream', async () => {
    const resetting = http2.createSecureServer(server, (_, response) => {
      response.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
    });
    expect(isNetworkError(await errorOf(clientTo(await listening(resetting)).get('reset')))).toBe(true);
  });
});

describe('a unix socket', () => {
  it('is reached by its path', async () => {
    const path = join(await folderOf(), 'api.sock');
    await listening(
      http.createServer((request, response) => response.end(JSON.stringify(request.url))),
      path,
    );
    const client = clientOf(forSpec(new Agent({ connect: { socketPath: path } })));
    expect(await firstValueFrom(client.get('http://localhost/containers/json'))).toBe('/containers/json');
  });
});

describe('a proxy', () => {
  it('is asked for a tunnel, with its own credentials', async () => {
    const { url } = await loopback((request, response) => response.end(JSON.stringify(request.headers)));
    const asked: (string | undefined)[] = [];
    const proxy = http.createServer().on('connect', (request: http.IncomingMessage, socket) => {
      asked.push(request.url, request.headers['proxy-authorization']);
      const { hostname, port } = new URL(`http://${request.url}`);
      const upstream = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
    });
    const uri = `http://127.0.0.1:${await listening(proxy)}`;
    const client = clientOf(forSpec(new ProxyAgent({ uri, token: 'Basic s3cret', proxyTunnel: true })));
    expect(JSON.stringify(await firstValueFrom(client.get(url)))).not.toContain('s3cret');
    expect(asked).toEqual([new URL(url).host, 'Basic s3cret']);
  });

  it('that refuses is a failure of the network', async () => {
    const proxy = http.createServer().on('connect', (_: http.IncomingMessage, socket) => socket.end('HTTP/1.1 407 No\r\n\r\n'));
    const client = clientOf(forSpec(new ProxyAgent({ uri: `http://127.0.0.1:${await listening(proxy)}`, proxyTunnel: true })));
    expect(isNetworkError(await errorOf(client.get('http://api.test/')))).toBe(true);
  });
});

describe('TLS', () => {
  it('shows a client certificate', async () => {
    const asking = https.createServer({ ...server, requestCert: true, rejectUnauthorized: true }, (request, response) => {
      const { getPeerCertificate } = request.socket as unknown as Pick<TLSSocket, 'getPeerCertificate'>;
      response.end(JSON.stringify(getPeerCertificate.call(request.socket).subject.CN));
    });
    const url = `https://127.0.0.1:${await listening(asking)}/`;
    const known = new Agent({ connect: { ca, key: pem('client-key'), cert: pem('client') } });
    expect(await firstValueFrom(clientOf(forSpec(known)).get(url))).toBe('client');
    expect(isNetworkError(await errorOf(clientOf(forSpec(new Agent({ connect: { ca } }))).get(url)))).toBe(true);
  });

  it('fails for good where nobody vouches for the certificate of the server', async () => {
    const port = await listening(https.createServer(server, (_, response) => response.end()));
    const error = await errorOf(clientOf(forSpec(new Agent()), { retry: {} }).get(`https://127.0.0.1:${port}/`));
    expect(error).toMatchObject({ name: 'NetworkError', code: expect.stringMatching(/UNABLE_TO|SELF_SIGNED/), unsent: true });
  });
});
