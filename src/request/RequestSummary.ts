import type { Observable } from 'rxjs';

/** Summary of a request, kept by its error. Printed or serialised, it shows neither query nor credentials. */
export class RequestSummary {
  constructor(
    readonly method: string,
    /** The URL as it was sent. */
    readonly url: string,
    /** The header fields as they were sent. */
    readonly headers: Headers,
    /** The signal that the caller gave. */
    readonly signal?: AbortSignal,
    /** The `abort$` that the caller gave. */
    readonly abort$?: Observable<unknown>,
    /** Whether its body, if any, can be sent again. */
    readonly replayable = true,
  ) {}

  /** Method, origin and path, for messages. */
  toString(): string {
    return `${this.method} ${withoutSecrets(this.url)}`;
  }

  /** Method, origin, path and the names of the header fields. */
  toJSON(): { method: string; url: string; headers: string[] } {
    return { method: this.method, url: withoutSecrets(this.url), headers: [...this.headers.keys()] };
  }

  [Symbol.for('nodejs.util.inspect.custom')](): unknown {
    return this.toJSON();
  }
}

/**
 * Origin and path of a URL: no user info, no query, no fragment. What has no origin is cut at its first `?`, `#` or behind its last `@`:
 * without its scheme, `user:password@host` would pass for a URL.
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
