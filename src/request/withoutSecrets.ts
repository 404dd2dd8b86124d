/**
 * Origin and path of a URL: no user info, no query, no fragment. A text without an origin is cut at its first `?` or `#`, and behind its
 * last `@`: without its scheme, `user:password@host` would pass for a URL.
 */
export function withoutSecrets(url: string): string {
  if (URL.canParse(url)) {
    const { origin, protocol, host, pathname } = new URL(url);
    if (origin !== 'null') return origin + pathname;
    if (protocol === 'data:') return protocol;
    if (host) return `${protocol}//${host}${pathname}`;
  }
  return url.replace(/[?#].*$/s, '').replace(/^.*@/s, '');
}
