import { BlockList, isIP } from 'node:net';

/** Default ports of URLs. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Rule for URLs that need no proxy, from the entries of `no_proxy`, separated by commas or blanks. As in curl: a host, which stands for its
 * subdomains too, with a leading dot or without; an IP address or a range of them (`10.0.0.0/8`, `fd00::/8`); `*` for all. As in other
 * programs: `*.example.com`, brackets around an address of version 6, and a port behind a host. Names are not resolved: a range matches
 * URLs with an address. Any other entry matches no URL.
 *
 * @example
 * const needsNone = noProxyRule('.internal, 10.0.0.0/8');
 * needsNone(new URL('https://10.1.2.3/')); // true
 */
export function noProxyRule(list: string): (url: URL) => boolean {
  const rules = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(entryRule);
  return ({ protocol, hostname, port }) => {
    const host = bare(hostname.toLowerCase()).replace(/\.$/, '');
    return rules.some((matches) => matches(host, port || DEFAULT_PORTS[protocol]));
  };
}

type EntryRule = (host: string, port: string | undefined) => boolean;

function entryRule(entry: string): EntryRule {
  if (entry === '*') return () => true;
  const [, address = '', bits] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
  if (bits !== undefined) return addressRule(bare(address), Number(bits));
  if (isIP(bare(entry))) return addressRule(bare(entry));
  const [, name = entry, port] = /^(.+):(\d+)$/.exec(entry) ?? [];
  const matches = isIP(bare(name)) ? addressRule(bare(name)) : domainRule(name);
  return (host, ofHost) => (port === undefined || port === ofHost) && matches(host, ofHost);
}

/** Rule of an address, or of all that share its first bits. */
function addressRule(address: string, bits?: number): EntryRule {
  const family = familyOf(address);
  if (family === undefined || (bits ?? 0) > (family === 'ipv4' ? 32 : 128)) return () => false;
  const addresses = new BlockList();
  if (bits === undefined) addresses.addAddress(address, family);
  else addresses.addSubnet(address, bits, family);
  return (host) => {
    const ofHost = familyOf(host);
    return ofHost !== undefined && addresses.check(host, ofHost);
  };
}

function domainRule(name: string): EntryRule {
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return (host) => host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)];
}

/** A host without the brackets that a URL has around an address of version 6. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
