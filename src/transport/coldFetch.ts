import { type Observable, type ObservableInput, throwError } from 'rxjs';
import { TIMEOUT } from '../request/defaults.js';
import { UsageError } from '../request/errors/UsageError.js';
import type { FetchLike } from '../request/FetchLike.js';
import type { RequestBody } from '../request/RequestBody.js';
import { exchange } from './exchange.js';
import { takeUntilAborted } from './takeUntilAborted.js';

/** Options of {@link coldFetch}: its own, beside those of `fetch`. */
export interface ColdFetchInit extends Omit<RequestInit, 'body' | 'signal'> {
  /** Function to call in place of the platform's `fetch`: an SDK's, or one that returns an observable. */
  readonly fetch?: FetchLike | undefined;
  /**
   * Milliseconds without progress after which the request fails with a TimeoutError; 30,000 by default, `Infinity` for none.
   *
   * Progress is owed by the network alone: from the send on each byte of the body that it takes, the headers, and each byte of the response
   * that is being read. The time does not count in which the body's own source makes its bytes or nobody reads the response, nor does the
   * time behind its last byte. A large body whose bytes cannot be counted (in a browser) runs without a timeout until the headers arrive.
   */
  readonly timeout?: number | undefined;
  /** Observable that completes the stream when it emits; its error becomes the stream's. */
  readonly abort$?: Observable<unknown> | undefined;
  /** Signal that ends the stream with its own reason. */
  readonly signal?: AbortSignal | null | undefined;
  /** The body, or a function that makes it anew for each subscription. */
  readonly body?: RequestBody | null | undefined;
}

/** {@link ColdFetchInit} with a `selector`. */
export interface ColdFetchSelectorInit<T> extends ColdFetchInit {
  /** Reads a response of status 200 to 299; timeout, abort and unsubscribing then cover the body to its last byte. */
  readonly selector: (response: Response) => ObservableInput<T>;
}

/**
 * A request as a cold observable: nothing is sent before the subscription, each subscription sends anew, unsubscribing aborts.
 *
 *     subscribe   ^
 *     output      --- 120ms ---(r|)
 *
 * Without `selector` the unread Response is handed over and the observable completes: from then on the body is the receiver's and neither
 * unsubscribing nor a signal reaches it. With `selector` they do until it has completed.
 *
 * Errors: `HttpError` outside 200 to 299 (its response unread; a 304 passes if a validator was sent), `NetworkError`, `TimeoutError`,
 * `UsageError` for what cannot be sent, the signal's own reason.
 *
 * @example
 * coldFetch('https://api.example.com/users/1', { selector: (response) => response.json() as Promise<User> })
 *   .pipe(retryAfter(), takeUntil(destroyed$))
 *   .subscribe((user) => show(user));
 */
export function coldFetch<T>(input: string | URL | Request, init: ColdFetchSelectorInit<T>): Observable<T>;
export function coldFetch(input: string | URL | Request, init?: ColdFetchInit | null): Observable<Response>;
export function coldFetch<T>(
  input: string | URL | Request,
  init?: (ColdFetchInit & Partial<ColdFetchSelectorInit<T>>) | null,
): Observable<T | Response> {
  // The argument `null` counts as no init, as it does for `fetch`.
  const { fetch, timeout = TIMEOUT, abort$, body, selector, signal: given, ...rest } = init ?? {};
  const signal = given ?? (input instanceof Request ? input.signal : undefined);
  const call = { input, init: rest, body: body ?? undefined, signal, abort$, timeout, fetch };
  if (selector !== undefined && typeof selector !== 'function') {
    return throwError(() => new UsageError(`coldFetch: selector is ${typeof selector}; pass a function of the Response`));
  }
  const answer$: Observable<T | Response> = selector ? exchange(call, (_, { guard }) => selector(guard())) : exchange(call);
  return answer$.pipe(takeUntilAborted({ signal, abort$ }));
}
