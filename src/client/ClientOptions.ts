import type { MaybeAsync } from '../request/MaybeAsync.js';
import type { FetchLike } from '../request/FetchLike.js';
import type { HttpCache } from '../read/cache/httpCache.js';
import type { Handler, Interceptor } from '../request/Handler.js';
import type { FetchOptions } from '../request/HttpRequest.js';
import type { Limiter } from '../pace/Limiter.js';
import type { PaceOptions } from '../operation/retryAndPace.js';
import type { RetryOptions } from '../retry/RetryPolicy.js';
import type { BeforeRetry } from './beforeRetry.js';
import type { HeadersFunction, RequestHeaders } from './headerFields.js';

/** Options of `createClient` and `asFetch`. */
export interface ClientOptions {
  /**
   * The URL to whose path relative URLs are appended; its query is sent with each of them. A relative one (`'/api'`) belongs to the page, else to
   * `origin`. A function is asked once for each operation: all attempts go to the same server.
   */
  readonly baseUrl?: string | URL | (() => MaybeAsync<string | URL>) | undefined;
  /** Origin of a relative `baseUrl` where there is no page: in server-side rendering, `'http://127.0.0.1:4000'` say. A page has its own. */
  readonly origin?: string | URL | undefined;
  /**
   * Header fields of every request to the base URL's origin (without a base: of every request). Other origins do not get them. A function is
   * asked for each attempt, so that a retry carries the token of its own time; it may answer by a promise or an observable. What it throws
   * ends the operation. Per-request fields, and fields that an interceptor has changed, go before it.
   *
   * Redirects to another origin do not get them on Node, Bun and Deno. In a browser they do, all but `authorization` and cookies, as far as that origin
   * allows it by CORS: a page can neither see nor change a redirect, but refuse all of them by `fetchOptions: { redirect: 'error' }`.
   */
  readonly headers?: RequestHeaders | HeadersFunction | undefined;
  /** Sends requests instead of `fetch`: the `xhr()` of `coldfetch/xhr`, say. An option of its own beside `fetch`, which it leaves unused. */
  readonly transport?: Handler | undefined;
  /** Sends requests instead of the platform's `fetch`. */
  readonly fetch?: FetchLike | undefined;
  /** Milliseconds without progress after which an attempt fails; the policy's by default. */
  readonly timeout?: number | undefined;
  /** Milliseconds for a whole operation, all attempts and waits included, with `retry: false`, too; the policy's by default. */
  readonly deadline?: number | undefined;
  /** The policy, or the fields that differ from `policies.standard`; a number: that many retries for each rule; `false`: no retries. */
  readonly retry?: RetryOptions | number | false | undefined;
  /**
   * Runs before a request is sent again, and may change it: renews a token after a 401, say (see `unauthorized`), or names another server. Its
   * time is the operation's: a deadline covers it, an abort ends it. What it throws or fails with is a failure of the attempt.
   */
  readonly beforeRetry?: BeforeRetry | undefined;
  /**
   * Limiter that decides when an attempt is sent: by default a `pacer({ initial: 6 })` of the client's own, which learns each origin's quota and
   * holds the requests that a 429 concerns: those that share an announced quota, else those of its route. Each waits there as its own policy says. A limiter (share one pacer between clients by passing it), a limiter with options of waiting, or
   * `false`: none, and each request waits by itself.
   */
  readonly pace?: Limiter | (PaceOptions & { readonly limiter?: Limiter | undefined }) | false | undefined;
  /** Keeps answers of reads, as HTTP says: `httpCache()`. None by default, and none of its code either. */
  readonly cache?: HttpCache | false | undefined;
  /**
   * Gives each POST and PATCH an `Idempotency-Key`, one for all attempts of an operation, so that it can be sent again; false by default: only
   * a server that knows the field drops the second of two.
   */
  readonly idempotency?: boolean | undefined;
  /** Stations that see each operation once, first to last. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** Stations that see every attempt: signing, fresh tokens. */
  readonly attemptInterceptors?: readonly Interceptor[] | undefined;
  /** The header field that carries an id made once for all attempts of an operation; none by default (in a browser it costs a preflight). */
  readonly requestIdHeader?: string | undefined;
  /** The header field that counts attempts, `"0"` first; none by default (in a browser it costs a preflight). */
  readonly attemptHeader?: string | undefined;
  /** Most decoded bytes of json, text, bytes and blob bodies; 64 MiB by default. */
  readonly maxBytes?: number | undefined;
  /** Options passed to `fetch`: `credentials`, `cache`, `mode`, ... With `redirect: 'error'` any redirect is a NetworkError, never retried. */
  readonly fetchOptions?: FetchOptions | undefined;
}
