import { catchError, defer, EMPTY, from, mergeMap, Observable, type ObservableInput, of, take, tap, throwError, throwIfEmpty } from 'rxjs';
import { HttpError } from '../request/errors/HttpError.js';
import { TimeoutError } from '../request/errors/TimeoutError.js';
import type { FetchLike } from '../request/FetchLike.js';
import type { Body, RequestBody } from '../request/RequestBody.js';
import type { RequestSummary } from '../request/RequestSummary.js';
import { watchdog } from '../time.js';
import { countBody } from './countBody.js';
import { checkCall } from './checkCall.js';
import { discardBody } from './discardBody.js';
import { looksLikeNetworkFailure, networkError } from './networkError.js';
import { outgoingInit } from './outgoingInit.js';
import { followsRedirects, type Hop, nextHop } from './redirect.js';

/** Time without progress after which an attempt fails unless told otherwise, in ms. */
export const TIMEOUT = 30_000;

/** One sending of one request. */
export interface Call {
  readonly input: string | URL | Request;
  /** What `fetch` gets, but for body and signal. */
  readonly init: RequestInit;
  readonly body: RequestBody | undefined;
  /** The caller's; whoever makes the exchange applies them, the errors carry them. */
  readonly signal: AbortSignal | undefined;
  readonly abort$: Observable<unknown> | undefined;
  /** Milliseconds without progress. */
  readonly timeout: number;
  /** Undefined: the platform's, looked up at the send. */
  readonly fetch: FetchLike | undefined;
}

/** Hears what happens on the way. */
export interface ExchangeListener {
  sent(): void;
  upload(loaded: number, total: number | undefined): void;
  headers(response: Response): void;
}

/** What whoever reads an answer tells the exchange. */
export interface Reading {
  /** Bytes came. */
  readonly touch: () => void;
  /** The body has ended, or is somebody else's now: unsubscribing no longer aborts it. */
  readonly disown: () => void;
}

/** Reads an answer. */
export type Read<T> = (response: Response, reading: Reading) => ObservableInput<T>;

/**
 * Sends one request and reads its answer with `read`: the core of `coldFetch` and of the transport. Cold; each subscription has its own
 * AbortController, which unsubscribing aborts for as long as the exchange owns the body: to its last byte with `read`, to the headers
 * without, when the Response is handed over.
 *
 * Errors: UsageError before the send; HttpError, its body unread; NetworkError; TimeoutError; what a body function or `read` fails with.
 */
export function exchange<T>(call: Call, read: Read<T>, listener?: ExchangeListener): Observable<T>;
export function exchange(call: Call): Observable<Response>;
export function exchange<T>(call: Call, read?: Read<T>, listener?: ExchangeListener): Observable<T | Response> {
  return new Observable((subscriber) => {
    const { timeout } = call;
    let request: RequestSummary;
    try {
      request = checkCall(call);
    } catch (error) {
      subscriber.error(error);
      return;
    }
    const { redirect = call.input instanceof Request ? call.input.redirect : undefined } = call.init;
    const init = { ...call.init, ...(redirect && { redirect }) };
    const controller = new AbortController();
    const { signal } = controller;
    let owned = true;
    subscriber.add(() => {
      if (owned) controller.abort();
    });
    const disown = (): void => {
      owned = false;
    };

    const dog = watchdog(timeout);
    let watching = timeout === Infinity;
    const watch = (): void => {
      dog.touch();
      if (watching) return;
      watching = true;
      subscriber.add(
        dog.expired$.subscribe(() => {
          subscriber.error(new TimeoutError(`${request.toString()}: no progress for ${timeout} ms`, timeout, { request }));
        }),
      );
    };

    const dispatch = (body: Body | undefined, hop: Hop): Observable<Response> =>
      defer(() => {
        const outgoing =
          body === undefined
            ? undefined
            : countBody(body, signal, (loaded, total) => {
                dog.touch();
                listener?.upload(loaded, total);
              });
        const followed = followsRedirects(redirect, hop.body, hop.headers);
        if (outgoing?.counted !== false) watch();
        if (hop.count === 0) listener?.sent();
        if (outgoing?.counted === true && !outgoing.streamed) listener?.upload(outgoing.total ?? 0, outgoing.total);
        if (subscriber.closed) return EMPTY;
        const input = hop.count === 0 ? call.input : hop.url;
        return from((call.fetch ?? fetch)(input, outgoingInit(init, hop, outgoing, followed, signal))).pipe(
          throwIfEmpty(() => new TypeError('network error', { cause: new Error('fetch completed without a response') })),
          take(1),
          mergeMap((response) => {
            const next = followed ? nextHop(response, hop, request) : undefined;
            if (!next) return of(response);
            discardBody(response);
            return dispatch(next.body ? body : undefined, next);
          }),
        );
      });

    const receive = (response: Response): ObservableInput<T | Response> => {
      watch();
      listener?.headers(response);
      if (!isExpected(response, request)) {
        disown();
        throw new HttpError(response, request);
      }
      if (read) return read(response, { touch: dog.touch, disown });
      disown();
      return of(response);
    };

    const inputBody = call.input instanceof Request && call.input.body !== null;
    subscriber.add(
      resolveBody(call.body, signal)
        .pipe(
          mergeMap((body) => {
            const { url, method, headers } = request;
            return dispatch(body, { url, method, headers, body: body !== undefined || inputBody, count: 0 }).pipe(
              catchError((error: unknown) => throwError(() => networkError(error, request))),
            );
          }),
          mergeMap(receive),
          tap({
            complete: () => {
              disown();
            },
          }),
        )
        .subscribe({
          next: (value) => {
            subscriber.next(value);
          },
          error: (error: unknown) => {
            subscriber.error(looksLikeNetworkFailure(error) ? networkError(error, request) : error);
          },
          complete: () => {
            subscriber.complete();
          },
        }),
    );
  });
}

/** A 304 is an answer to whoever sent a validator (RFC 9110 section 15.4.5). */
function isExpected({ ok, status }: Response, { headers }: RequestSummary): boolean {
  return ok || (status === 304 && (headers.has('if-none-match') || headers.has('if-modified-since')));
}

function resolveBody(body: RequestBody | undefined, signal: AbortSignal): Observable<Body | undefined> {
  if (typeof body !== 'function') return of(body);
  return defer(() => {
    const made = body({ signal });
    return isPromiseLike(made) ? from(made) : of(made);
  });
}

function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
