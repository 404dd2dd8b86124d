/** Name of the row that all others are compared with. */
export const BASELINE = 'fetch';

/** Clients that are profiled. */
export const PROFILED = [
  BASELINE,
  'coldFetch + retryAfter()',
  'http.get as it comes',
  'asFetch',
  'http.get on coldfetch/undici',
  'asFetch on coldfetch/undici',
] as const;

/** Requests at once. */
export const CONCURRENCIES = [1, 20, 200] as const;

/** Sizes of bodies in bytes: of the answer to a GET, of what a POST sends. */
export const SIZES = { '0.8 kB': 800, '100 kB': 100_000 } as const;

/** A burst of requests against a limit in fixed windows. */
export const BURST = { requests: 250, limit: 100, windowMs: 5000 } as const;

/** Requests that wait for one 429, and for how long it says. */
export const PARKED = { requests: 10_000, seconds: 5 } as const;

/** Screenshots to upload. */
export const SCREENSHOTS = { count: 2000, bytes: 40_000, concurrency: 10 } as const;

/** Addresses of the server. */
export interface Origins {
  readonly plain: string;
  readonly limited: string;
}
