import type { HttpRequest } from '../../request/HttpRequest.js';
import type { CacheStore } from './CacheStore.js';

/** Options of `httpCache`. */
export interface CacheOptions {
  /** Store of the answers; a `memoryCache()` of its own by default. */
  readonly store?: CacheStore;
  /** Time that a reply of the store may take, in ms; 1,000 by default. A store that takes longer has failed, and is left alone for 30 s. */
  readonly storeTimeout?: number;
  /**
   * True if people with different credentials are served the same answers, as by a proxy. Then `private` ones are not kept. By default
   * (`false`) everybody's answers are kept apart, by `authorization`, `cookie` and the usual fields of API keys and tokens; a server that knows
   * people by another field has to say so in `Vary`.
   */
  readonly shared?: boolean;
  /**
   * Time for which an answer is fresh, in ms, whatever it says itself; `undefined` leaves that to it. `no-store` still holds, and `private` in
   * a shared cache. When it has passed the origin is asked with `If-None-Match`, so a short time costs little.
   */
  readonly ttl?: number | ((request: HttpRequest) => number | undefined);
  /** Time for which a stale answer may be used while a new one is fetched, where it says nothing itself, in ms; 0 by default. */
  readonly staleWhileRevalidate?: number;
  /** Time for which a stale answer may be used when the origin fails, where it says nothing itself, in ms; 0 by default. */
  readonly staleIfError?: number;
  /** The part of the time since `Last-Modified` for which an answer that says nothing else is fresh; 0.1 by default, 0: none. */
  readonly heuristic?: number;
}
