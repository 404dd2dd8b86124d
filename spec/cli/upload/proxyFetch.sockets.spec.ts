import { type AddressInfo, connect } from 'node:net';
import http, { createServer } from 'node:http';
import { isUsageError } from 'coldfetch';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { proxyFetch } from '../../../src/cli/upload/proxyFetch.js';
import { loopback } from '../../support/loopback.js';

/** A proxy that opens tunnels or forwards requests, as versions of undici ask for, and where to. */
async function proxy(): Promise<{ url: string; tunnels: string[] }> {
  const tunnels: string[] = [];
  const server = createServer((request, response) => {
    tunnels.push(new URL(request.url ?? '').host);
    http.get(request.url ?? '', { agent: false }, (answer) => answer.pipe(response));
  }).on('connect', (request, client) => {
    tunnels.push(request.url ?? '');
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    for (const socket of [client, target]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels };
}

/** Whether this Node uses proxies without a package. */
const usesProxies = 'setGlobalProxyFromEnv' in http;
const loadUndici = () => import('undici') as never;

describe('proxyFetch', () => {
  it("is the platform's own fetch where no proxy is named", async () => {
    expect(await proxyFetch({ NO_PROXY: '*' })).toBeUndefined();
  });

  it('sends through the proxy, but for the hosts that need none', async () => {
    const { url, tunnels } = await proxy();
    const target = await loopback((_request, response) => void response.end('{}'));
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY']) vi.stubEnv(name, undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('HTTP_PROXY', url);
    const fetch = await proxyFetch({ HTTP_PROXY: url }, loadUndici);
    await fetch?.(target.url, {});
    expect(tunnels).toEqual([new URL(target.url).host]);
    const direct = await proxyFetch({ HTTP_PROXY: url, NO_PROXY: '127.0.0.1' }, loadUndici);
    await direct?.(target.url, {});
    expect([tunnels.length, target.requests.length]).toEqual([1, 2]);
  });

  it.each([
    ['a range of addresses', '127.0.0.0/8', 0],
    ['a range of others', '10.0.0.0/8', 1],
    ['all hosts', '*', 0],
    ['another port', '127.0.0.1:1', 1],
  ])('sends past the proxy, or not, by %s', async (_case, exceptions, expected) => {
    const { url, tunnels } = await proxy();
    const target = await loopback((_request, response) => void response.end('{}'));
    const fetch = await proxyFetch({ http_proxy: url, no_proxy: exceptions }, loadUndici);
    await fetch?.(target.url, {});
    expect([tunnels.length, target.requests.length]).toEqual([expected, 1]);
  });

  it('asks for the proxy again where a redirect leads to a host that needs it', async () => {
    const { url, tunnels } = await proxy();
    const target = await loopback((_request, response) => void response.end('{}'));
    const first = await loopback((_request, response) => void response.writeHead(302, { location: target.url }).end());
    const fetch = await proxyFetch({ http_proxy: url, no_proxy: new URL(first.url).host }, loadUndici);
    await fetch?.(first.url, {});
    expect(tunnels).toEqual([new URL(target.url).host]);
  });

  it('takes a proxy without a scheme for one that speaks HTTP, as curl does', async () => {
    const { url, tunnels } = await proxy();
    const target = await loopback((_request, response) => void response.end('{}'));
    const fetch = await proxyFetch({ http_proxy: url.replace('http://', '') }, loadUndici);
    await (fetch ?? globalThis.fetch)(target.url, {});
    expect(tunnels).toEqual([new URL(target.url).host]);
  });

  it.skipIf(usesProxies)('says which undici to install where the one that is installed is too old', async () => {
    const old = () => Promise.resolve({ fetch: () => Promise.resolve(), Agent: Object }) as never;
    await expect(proxyFetch({ HTTPS_PROXY: 'http://proxy' }, old)).rejects.toThrow('npm install undici@latest (6.14 or later)');
  });

  it.skipIf(usesProxies)('says what to install where nothing here can use the proxy', async () => {
    const missing = () => Promise.reject(new Error('Cannot find package'));
    const error: unknown = await proxyFetch({ HTTPS_PROXY: 'http://proxy' }, missing).catch((reason: unknown) => reason);
    expect([isUsageError(error), String(error)]).toEqual([true, expect.stringContaining('npm install undici')]);
  });
});
