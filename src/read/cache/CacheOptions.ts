import type { HttpRequest } from '../../request/HttpRequest.js';
import type { CacheStore } from './CacheStore.js';

/** Options of `httpCache`. */
export interface CacheOptions {
  /** Store of the responses; a `memoryCache()` of the cache's own by default. */
  readonly store?: CacheStore;
  /** Time that a reply of the store may take, in ms; 1,000 by default. A store that takes longer has failed, and is left alone for 30 s. */
  readonly storeTimeout?: number;
  /**
   * True if callers with different credentials share responses, as behind a proxy. `private` responses are not kept then. By default
   * (`false`) the responses of each caller are kept apart, by `authorization`, `cookie` and the usual fields of API keys and tokens; a
   * server that knows its callers by another field has to name it in `Vary`.
   */
  readonly shared?: boolean;
  /**
   * Time for which a response is fresh, in ms, whatever its own fields say; `undefined` leaves that to them. `no-store` still holds, and
   * `private` in a shared cache. Afterwards the origin is asked with `If-None-Match`, so a short time costs little.
   */
  readonly ttl?: number | ((request: HttpRequest) => number | undefined);
  /** Time for which a stale response may be used while a new one is fetched, where its own fields do not say, in ms; 0 by default. */
  readonly staleWhileRevalidate?: number;
  /** Time for which a stale response may be used when the origin fails, where its own fields do not say, in ms; 0 by default. */
  readonly staleIfError?: number;
  /** Share of the time since `Last-Modified` for which a response without other fields is fresh; 0.1 by default, 0: none. */
  readonly heuristic?: number;
}
