/** The limit of the embedded server, counted for each client address in fixed windows that start at that address's first request. */
export interface ServerLimit {
  /** Requests in a window, 1 or more. Default 500, as the real service. */
  readonly requests?: number;
  /** Length of a window in ms, 1 to 2,147,483,647. Default 300,000 (5 minutes), as the real service. */
  readonly windowMs?: number;
  /**
   * Requests that count. `'api'` (default): the API under `/v2/`, as in the real service. `'all'`: every request, the storage POSTs too, in the same
   * counter, so that single files meet the limit.
   */
  readonly routes?: 'api' | 'all';
  /**
   * True if every response announces the remaining requests (the `RateLimit` fields), as in the real service; `true` by default. With
   * `false` a client learns of the limit by a 429 and its `Retry-After` only, as from many a server.
   */
  readonly announced?: boolean;
}

/** Pages of other origins that may read the responses (CORS). */
export interface ServerCors {
  /** Origins of the pages, such as `https://app.example.com`. Default `'*'`: all. */
  readonly origins?: '*' | readonly string[];
  /**
   * Header fields that a page sees beside the CORS-safelisted ones. Default: those by which clients wait, validate and page, `Retry-After`,
   * `RateLimit`, `RateLimit-Policy`, `ETag`, `Link`, `Location` and `Date`. With `[]` a page sees no others, as from many a server.
   */
  readonly exposed?: readonly string[];
}

/**
 * Faults that are injected: requests that fail a few times before they succeed. With 429 and `retryAfter` a client is refused exactly that
 * often, at whatever time it comes, which a {@link ServerLimit} cannot promise.
 */
export interface ServerFault {
  /**
   * `*`, or `METHOD /path` or `/path` (any method); in a path `*` stands for anything, and a pattern with `?` sees the query too:
   * `'POST /storage/*'`, `'/v2/builds'`, `'GET /mock/items?*page=40*'`.
   */
  readonly routes: string | readonly string[];
  /** Failures before the first success, for each method and URL. Default 2. */
  readonly failures?: number;
  /** Status of a failure: 429, or 500 to 599. Default 503. */
  readonly status?: number;
  /** Seconds in the failure's `Retry-After`. Default: no such field. */
  readonly retryAfter?: number;
}

/** One signing of one upload. */
export interface Signing {
  /** SHA-256 of the file, hex. */
  readonly key: string;
  /** Number of earlier signings of this key. */
  readonly count: number;
}

/** Options of {@link startServer}. Each has a default. */
export interface ServerOptions {
  /** Address to listen on. Default `127.0.0.1`: other machines cannot reach it. */
  readonly host?: string;
  /** Port, 0 to 65,535. Default 0: any free one, see {@link RunningServer.port}. */
  readonly port?: number;
  /**
   * Folder of files and builds; made if missing. Keys found there are not asked for again, so a second run resumes, after a restart too.
   * One server a folder. Default: a temporary folder, removed by `close()`.
   */
  readonly folder?: string;
  /** The only Bearer token that is accepted. Default: any that is not empty. */
  readonly token?: string;
  /** The rate limit; `{}` is the real service's. Default `false`: none, no `RateLimit` fields either. */
  readonly limit?: ServerLimit | false;
  /** Routes that answer two 503s, then succeed: for trying clients. Default: none. */
  readonly flaky?: string | readonly string[] | ServerFault;
  /** Pages of other origins that may use this server; `true`: of all. Default `false`: none. */
  readonly cors?: boolean | ServerCors;
  /**
   * Time within which a signed upload may start, in ms from its signing. A function sets it signing by signing: `({ count }) => (count ===
   * 0 ? 0 : 1_800_000)` makes every first one expire at once. Default 1,800,000 (30 minutes), as in the real service.
   */
  readonly expiresIn?: number | ((signing: Signing) => number);
  /** Response of `GET project`: with `true` (default) clients need no git, with `false` they may ask for a baseline. */
  readonly hasRemoteContentAccess?: boolean;
}
