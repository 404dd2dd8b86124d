/** How a simulated server answers a request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A rate limit, in virtual time: called once for each request that arrives, with the time in ms. */
export type Server = (now: number) => Reply;

/** A limit in a window. */
export interface Limit {
  /** Requests in a window. */
  readonly limit: number;
  /** The window in ms. */
  readonly window: number;
}

/** The fields of IETF drafts 8 to 10 as express-rate-limit sends them, and Retry-After on a 429. `reset` in ms, rounded up to seconds. */
export function reply({ limit, window }: Limit, ok: boolean, remaining: number, reset: number): Reply {
  const seconds = Math.ceil(reset / 1000);
  const headers = {
    'ratelimit-policy': `"${limit}"; q=${limit}; w=${window / 1000}`,
    ratelimit: `"${limit}"; r=${remaining}; t=${seconds}`,
  };
  return ok ? { status: 201, headers } : { status: 429, headers: { ...headers, 'retry-after': String(seconds) } };
}
