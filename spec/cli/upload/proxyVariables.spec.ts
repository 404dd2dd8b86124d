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
    ['has one for all', { ALL_PROXY: 'a', HTTPS_PROXY: 'b' }, { http_proxy: 'http://a', https_proxy: 'http://b' }],
    ['has exceptions', { http_proxy: 'a', NO_PROXY: 'b' }, { http_proxy: 'http://a', no_proxy: 'b' }],
  ])('reads an environment that %s', (_case, env, proxies) => {
    expect(readProxyVariables(env)).toEqual(proxies);
  });
});
