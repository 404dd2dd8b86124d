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
   * URL to whose path relative URLs are appended; its query is sent with each of them. A relative base (`'/api'`) belongs to the page, else
   * to `origin`. A function is asked once for each operation: all attempts go to the same server.
   */
  readonly baseUrl?: string | URL | (() => MaybeAsync<string | URL>) | undefined;
  /**
   * Origin of a relative `baseUrl` where there is no page: in server-side rendering, for example `'http://127.0.0.1:4000'`. A page has its
   * own.
   */
  readonly origin?: string | URL | undefined;
  /**
   * Header fields of every request to the base URL's origin (without a base: of every request). Other origins do not get them. A function
   * is asked for each attempt, so that a retry carries the current token; it may return a promise or an observable. An error that it throws
   * ends the operation. Per-request fields, and fields that an interceptor has changed, override them.
   *
   * Redirects to another origin do not get them on Node, Bun and Deno. In a browser they do, all but `authorization` and cookies, as far as
   * that origin allows it by CORS: a page can neither see nor change a redirect, but can refuse all of them by `fetchOptions: { redirect:
   * 'error' }`.
   */
  readonly headers?: RequestHeaders | HeadersFunction | undefined;
  /**
   * Transport that sends requests in place of `fetch`: for example the `xhr()` of `coldfetch/xhr`. Where it is given, `fetch` is not used.
   */
  readonly transport?: Handler | undefined;
  /** Function that sends requests in place of the platform's `fetch`. */
  readonly fetch?: FetchLike | undefined;
  /** Milliseconds without progress after which an attempt fails; the policy's by default. */
  readonly timeout?: number | undefined;
  /** Milliseconds for a whole operation, all attempts and waits included, with `retry: false`, too; the policy's by default. */
  readonly deadline?: number | undefined;
  /** The policy, or the fields that differ from `policies.standard`; a number: that many retries for each rule; `false`: no retries. */
  readonly retry?: RetryOptions | number | false | undefined;
  /**
   * Hook that runs before a request is sent again, and may change it: renew a token after a 401, for example (see `unauthorized`), or name
   * another server. It runs in the operation's time: a deadline covers it, an abort ends it. An error that it throws or emits is a failure
   * of the attempt.
   */
  readonly beforeRetry?: BeforeRetry | undefined;
  /**
   * Limiter that decides when an attempt is sent. The default is a `pacer({ initial: 6 })` of the client's own: it learns each origin's
   * quota, and holds the requests that a 429 concerns, which are those that share an announced quota, else those of its route. Each waits
   * there by its own policy. Give a limiter (clients share a pacer that is passed to each), a limiter with options of waiting, or `false`:
   * no limiter, and each request waits by itself.
   */
  readonly pace?: Limiter | (PaceOptions & { readonly limiter?: Limiter | undefined }) | false | undefined;
  /** Cache that keeps responses of reads by the rules of HTTP: `httpCache()`. By default there is none, and none of its code. */
  readonly cache?: HttpCache | false | undefined;
  /**
   * Gives each POST and PATCH an `Idempotency-Key`, one for all attempts of an operation, so that it can be sent again. False by default:
   * only a server that knows the field drops the second of two.
   */
  readonly idempotency?: boolean | undefined;
  /** Interceptors that see each operation once, first to last. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** Interceptors that see every attempt: signing, fresh tokens. */
  readonly attemptInterceptors?: readonly Interceptor[] | undefined;
  /**
   * Name of the header field with an id, made once for all attempts of an operation; none by default (in a browser it costs a preflight).
   */
  readonly requestIdHeader?: string | undefined;
  /** Name of the header field that counts attempts, `"0"` first; none by default (in a browser it costs a preflight). */
  readonly attemptHeader?: string | undefined;
  /** Most decoded bytes of json, text, bytes and blob bodies; 64 MiB by default. */
  readonly maxBytes?: number | undefined;
  /** Options passed to `fetch`: `credentials`, `cache`, `mode`, ... With `redirect: 'error'` any redirect is a NetworkError, never retried. */
  readonly fetchOptions?: FetchOptions | undefined;
}
