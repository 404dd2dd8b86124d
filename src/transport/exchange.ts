import { Observable, type Subscriber } from 'rxjs';
import type { RequestSummary } from '../request/RequestSummary.js';
import { Attempt } from './Attempt.js';
import type { Call, ExchangeListener, ReadAnswer } from './Call.js';
import { checkCall } from './checkCall.js';

/**
 * Sends one request and reads its answer with `read`: the core of `coldFetch` and of the transport. Cold; each subscription has its own
 * AbortController, which unsubscribing aborts for as long as the exchange owns the body: to its last byte with `read`, to the headers
 * without, when the Response is handed over.
 *
 * Errors: UsageError before the send; HttpError, its body unread; NetworkError; TimeoutError; those of a body function, of a body's own
 * stream, of a custom `fetch` and of `read`, as they are.
 */
export function exchange<T>(call: Call, read: ReadAnswer<T>, listener?: ExchangeListener): Observable<T>;
export function exchange(call: Call): Observable<Response>;
export function exchange<T>(call: Call, read?: ReadAnswer<T>, listener?: ExchangeListener): Observable<T | Response> {
  return new Observable((subscriber) => startExchange(call, subscriber, read, listener));
}

/** Runs an {@link exchange} for one subscriber. */
export function startExchange<T>(
  call: Call,
  subscriber: Subscriber<T | Response>,
  read: ReadAnswer<T> | undefined,
  listener: ExchangeListener | undefined,
): void {
  let request: RequestSummary;
  try {
    request = checkCall(call);
  } catch (error) {
    subscriber.error(error);
    return;
  }
  new Attempt(call, request, subscriber, read, listener).begin();
}
