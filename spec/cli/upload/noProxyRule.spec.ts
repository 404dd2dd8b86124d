import { describe, expect, it } from 'vitest';
import { noProxyRule } from '../../../src/cli/upload/noProxyRule.js';

describe('noProxyRule', () => {
  it.each([
    ['a host', 'example.com', 'https://example.com/'],
    ['a host in another case', 'EXAMPLE.com', 'https://Example.COM/'],
    ['a host with a dot at its end', 'example.com.', 'https://example.com/'],
    ['a URL with a dot at its end', 'example.com', 'https://example.com./'],
    ['a subdomain of a host', 'example.com', 'https://a.b.example.com/'],
    ['a subdomain of a domain', '.example.com', 'https://a.example.com/'],
    ['the host of a domain', '.example.com', 'https://example.com/'],
    ['a subdomain by an asterisk', '*.example.com', 'https://a.example.com/'],
    ['all hosts', '*', 'https://example.com/'],
    ['one entry of several', 'a.com, b.com\tc.com', 'https://c.com/'],
    ['a port', 'example.com:8443', 'https://example.com:8443/'],
    ['a default port', 'example.com:443', 'https://example.com/'],
    ['an address', '127.0.0.1', 'http://127.0.0.1:8080/'],
    ['an address and a port', '127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ['an address written as a number', '127.0.0.1', 'http://2130706433/'],
    ['a range', '10.0.0.0/8', 'http://10.255.0.1/'],
    ['a range that does not end at a byte', '192.168.16.0/20', 'http://192.168.31.255/'],
    ['a range of one address', '10.0.0.1/32', 'http://10.0.0.1/'],
    ['a range of all', '0.0.0.0/0', 'http://10.0.0.1/'],
    ['an address of version 6', '::1', 'http://[::1]:8080/'],
    ['one in another form', '2001:DB8:0:0::1', 'http://[2001:db8::1]/'],
    ['one in brackets', '[::1]', 'http://[::1]/'],
    ['one with a port', '[::1]:8080', 'http://[::1]:8080/'],
    ['a range of version 6', 'fd00::/8', 'http://[fdab::1]/'],
    ['a range of version 6 in brackets', '[2001:db8::]/33', 'http://[2001:db8:7fff::1]/'],
    ['an address of version 4 in one of version 6', '10.0.0.0/8', 'http://[::ffff:10.1.2.3]/'],
  ])('meets %s', (_case, list, url) => {
    expect(noProxyRule(list)(new URL(url))).toBe(true);
  });

  it.each([
    ['nothing by an empty list', ' , ', 'https://example.com/'],
    ['another host with the same end', 'example.com', 'https://notexample.com/'],
    ['the parent of a host', 'a.example.com', 'https://example.com/'],
    ['another port', 'example.com:8443', 'https://example.com/'],
    ['another port of an address', '[::1]:8080', 'http://[::1]:8081/'],
    ['an address by the end of another', '0.0.1', 'http://10.0.0.1/'],
    ['an address behind a range', '192.168.16.0/20', 'http://192.168.32.0/'],
    ['a name by a range', '0.0.0.0/0', 'http://localhost/'],
    ['an address of version 6 by a range of version 4', '0.0.0.0/0', 'http://[2001:db8::1]/'],
    ['an address behind a range of version 6', '2001:db8::/33', 'http://[2001:db8:8000::1]/'],
    ['anything by a range of too many bits', '10.0.0.0/33', 'http://10.0.0.0/'],
    ['anything by a range of a name', 'example.com/8', 'http://example.com/'],
  ])('does not meet %s', (_case, list, url) => {
    expect(noProxyRule(list)(new URL(url))).toBe(false);
  });
});
