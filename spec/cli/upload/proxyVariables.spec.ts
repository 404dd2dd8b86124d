import { describe, expect, it } from 'vitest';
import { readProxyVariables } from '../../../src/cli/upload/proxyVariables.js';

describe('readProxyVariables', () => {
  it.each<[string, Record<string, string>, object | undefined]>([
    ['names none', {}, undefined],
    ['names only exceptions', { NO_PROXY: '*' }, undefined],
    ['has an empty one', { HTTP_PROXY: '', https_proxy: ' ' }, undefined],
    ['has one without a scheme', { HTTP_PROXY: '172.23.23.250:8080' }, { http_proxy: 'http://172.23.23.250:8080' }],
    ['has a name without a scheme', { https_proxy: 'proxy:8080' }, { https_proxy: 'http://proxy:8080' }],
    ['has a login without a scheme', { https_proxy: 'user:word@proxy:8080' }, { https_proxy: 'http://user:word@proxy:8080' }],
    ['has an address of version 6', { http_proxy: '[::1]:8080' }, { http_proxy: 'http://[::1]:8080' }],
    ['has a proxy behind TLS', { http_proxy: 'HTTPS://proxy' }, { http_proxy: 'HTTPS://proxy' }],
    ['prefers lower case', { http_proxy: 'a', HTTP_PROXY: 'b' }, { http_proxy: 'http://a' }],
    ['has an empty one in lower case', { http_proxy: '', HTTP_PROXY: 'b' }, { http_proxy: 'http://b' }],
    ['has one for all in both cases', { all_proxy: 'a', ALL_PROXY: 'b' }, { http_proxy: 'http://a', https_proxy: 'http://a' }],
    ['has one for all', { ALL_PROXY: 'a', HTTPS_PROXY: 'b' }, { http_proxy: 'http://a', https_proxy: 'http://b' }],
  ])('reads an environment that %s', (_case, env, proxies) => {
    const { isExcepted: _rule, ...urls } = readProxyVariables(env) ?? {};
    expect(urls).toEqual(proxies ?? {});
  });

  it.each<[Record<string, string>, boolean]>([
    [{ NO_PROXY: 'host' }, true],
    [{ no_proxy: 'other', NO_PROXY: 'host' }, false],
    [{ no_proxy: '', NO_PROXY: 'host' }, true],
    [{}, false],
  ])('excepts hosts by %j', (env, isExcepted) => {
    expect(readProxyVariables({ http_proxy: 'a', ...env })?.isExcepted(new URL('http://host/'))).toBe(isExcepted);
  });
});
