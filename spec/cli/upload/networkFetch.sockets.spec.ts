import http from 'node:http';
import { isUsageError } from 'coldfetch';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { networkFetch } from '../../../src/cli/upload/networkFetch.js';
import { loopback } from '../../support/loopback.js';
import { tunnelProxy } from '../../support/tunnelProxy.js';

/** True if this Node uses proxies without a package. */
const usesProxies = 'setGlobalProxyFromEnv' in http;
const loadUndici = () => import('undici') as never;

describe('networkFetch', () => {
  it("is the platform's own fetch where no proxy is named", async () => {
    expect(await networkFetch({ env: { NO_PROXY: '*' }, cwd: '/' })).toBeUndefined();
  });

  it('sends through the proxy, but for the hosts that need none', async () => {
    const { url, tunnels } = await tunnelProxy();
    const target = await loopback((_request, response) => void response.end('{}'));
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY']) vi.stubEnv(name, undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('HTTP_PROXY', url);
    const fetch = await networkFetch({ env: { HTTP_PROXY: url }, cwd: '/', load: loadUndici });
    await fetch?.(target.url, {});
    expect(tunnels).toEqual([new URL(target.url).host]);
    const direct = await networkFetch({ env: { HTTP_PROXY: url, NO_PROXY: '127.0.0.1' }, cwd: '/', load: loadUndici });
    await direct?.(target.url, {});
    expect([tunnels.length, target.requests.length]).toEqual([1, 2]);
  });

  it.each([
    ['a range of addresses', '127.0.0.0/8', 0],
    ['a range of others', '10.0.0.0/8', 1],
    ['all hosts', '*', 0],
    ['another port', '127.0.0.1:1', 1],
  ])('sends past the proxy, or not, by %s', async (_case, exceptions, expected) => {
    const { url, tunnels } = await tunnelProxy();
    const target = await loopback((_request, response) => void response.end('{}'));
    const fetch = await networkFetch({ env: { http_proxy: url, no_proxy: exceptions }, cwd: '/', load: loadUndici });
    await fetch?.(target.url, {});
    expect([tunnels.length, target.requests.length]).toEqual([expected, 1]);
  });

  it('asks for the proxy again where a redirect leads to a host that needs it', async () => {
    const { url, tunnels } = await tunnelProxy();
    const target = await loopback((_request, response) => void response.end('{}'));
    const first = await loopback((_request, response) => void response.writeHead(302, { location: target.url }).end());
    const fetch = await networkFetch({ env: { http_proxy: url, no_proxy: new URL(first.url).host }, cwd: '/', load: loadUndici });
    await fetch?.(first.url, {});
    expect(tunnels).toEqual([new URL(target.url).host]);
  });

  it('takes a proxy without a scheme for one that speaks HTTP, as curl does', async () => {
    const { url, tunnels } = await tunnelProxy();
    const target = await loopback((_request, response) => void response.end('{}'));
    const fetch = await networkFetch({ env: { http_proxy: url.replace('http://', '') }, cwd: '/', load: loadUndici });
    await (fetch ?? globalThis.fetch)(target.url, {});
    expect(tunnels).toEqual([new URL(target.url).host]);
  });

  it.skipIf(usesProxies)('says which undici to install where the one that is installed is too old', async () => {
    const old = () => Promise.resolve({ fetch: () => Promise.resolve(), Agent: Object }) as never;
    await expect(networkFetch({ env: { HTTPS_PROXY: 'http://proxy' }, cwd: '/', load: old })).rejects.toThrow(
      'npm install undici@latest (6.14 or later)',
    );
  });

  it.skipIf(usesProxies)('says what to install where nothing here can use the proxy', async () => {
    const missing = () => Promise.reject(new Error('Cannot find package'));
    const error: unknown = await networkFetch({ env: { HTTPS_PROXY: 'http://proxy' }, cwd: '/', load: missing }).catch(
      (reason: unknown) => reason,
    );
    expect([isUsageError(error), String(error)]).toEqual([true, expect.stringContaining('npm install undici')]);
  });
});
