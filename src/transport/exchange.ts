import { defer, from, Observable, type ObservableInput } from 'rxjs';
import { BodyError, isBodyError } from '../request/errors/BodyError.js';
import { HttpError } from '../request/errors/HttpError.js';
import { TimeoutError } from '../request/errors/TimeoutError.js';
import type { FetchLike } from '../request/FetchLike.js';
import { isThenable } from '../request/isThenable.js';
import type { Body, RequestBody } from '../request/RequestBody.js';
import type { RequestSummary } from '../request/RequestSummary.js';
import { watchdog } from '../time.js';
import { countBody } from './countBody.js';
import { checkCall } from './checkCall.js';
import { discardBody } from './discardBody.js';
import { looksLikeNetworkFailure, networkError } from './networkError.js';
import { outgoingInit } from './outgoingInit.js';
import { followsRedirects, type Hop, nextHop } from './redirect.js';
import { requireResponse, send } from './send.js';
import type { Watch } from './watchOf.js';

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
  /** The reader watches for silence himself from now on. */
  readonly takeWatch: () => Watch;
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
    const init = call.input instanceof Request ? { redirect: call.input.redirect, ...call.init } : call.init;
    const { redirect } = init;
    const controller = new AbortController();
    const { signal } = controller;
    let owned = true;
    const silent = (): TimeoutError => new TimeoutError(`${request.toString()}: no progress for ${timeout} ms`, timeout, { request });
    const dog = watchdog(timeout, () => {
      subscriber.error(silent());
    });
    subscriber.add(() => {
      dog.unsubscribe();
      if (owned) controller.abort();
    });
    const disown = (): void => {
      owned = false;
    };
    const takeWatch = (): Watch => {
      dog.unsubscribe();
      return { timeout, silent };
    };
    const fail = (error: unknown): void => {
      subscriber.error(error);
    };

    /** Runs a step whose errors, those of hooks and refused redirects, are the exchange's. */
    const guard = (step: () => void): void => {
      try {
        step();
      } catch (error) {
        fail(error);
      }
    };
    const upload = (loaded: number, total: number | undefined): void => {
      dog.touch();
      listener?.upload(loaded, total);
    };

    const dispatch = (body: Body | undefined, hop: Hop): void => {
      const outgoing = body === undefined ? undefined : countBody(body, signal, upload);
      const followed = followsRedirects(redirect, hop.body, hop.headers);
      if (outgoing?.counted !== false) dog.touch();
      if (hop.count === 0) listener?.sent();
      if (outgoing?.counted === true && !outgoing.streamed) listener?.upload(outgoing.total ?? 0, outgoing.total);
      if (subscriber.closed) return;
      const input = hop.count === 0 ? call.input : hop.url;
      // What fetch throws is as good as what it rejects with.
      const response$ = defer(() => send(call.fetch, request, input, outgoingInit(init, hop, outgoing, followed, signal)));
      subscriber.add(
        response$.subscribe({
          next: (response) => {
            guard(() => {
              requireResponse(response, request);
              const next = followed ? nextHop(response, hop, request) : undefined;
              if (next) {
                discardBody(response);
                dispatch(next.body ? body : undefined, next);
              } else {
                receive(response);
              }
            });
          },
          error: (error: unknown) => {
            fail(networkError(error, request));
          },
        }),
      );
    };

    const receive = (response: Response): void => {
      dog.touch();
      listener?.headers(response);
      if (!isExpected(response, request)) {
        disown();
        fail(new HttpError(response, request));
      } else if (read) {
        subscriber.add(
          from(read(response, { touch: dog.touch, disown, takeWatch })).subscribe({
            next: (value) => {
              subscriber.next(value);
            },
            error: (error: unknown) => {
              fail(readError(error, request));
            },
            complete: () => {
              disown();
              subscriber.complete();
            },
          }),
        );
      } else {
        disown();
        subscriber.next(response);
        subscriber.complete();
      }
    };

    const begin = (body: Body | undefined): void => {
      const { url, method, headers } = request;
      const hasBody = body !== undefined || (call.input instanceof Request && call.input.body !== null);
      guard(() => {
        dispatch(body, { url, method, headers, body: hasBody, count: 0 });
      });
    };
    if (typeof call.body !== 'function') {
      begin(call.body);
      return;
    }
    const make = call.body;
    guard(() => {
      const made = make({ signal });
      if (isThenable(made)) subscriber.add(from(made).subscribe({ next: begin, error: fail }));
      else begin(made);
    });
  });
}

/** What reading an answer failed with: the network's failures are ours, and a body's error names its request. */
function readError(error: unknown, request: RequestSummary): unknown {
  if (looksLikeNetworkFailure(error)) return networkError(error, request);
  if (!isBodyError(error) || error.request) return error;
  return new BodyError(`${request.toString()}: ${error.message}`, { cause: error.cause, request });
}

/** Whether an answer is no error: a status of success, or a 304 to a request that sent a validator (RFC 9110 section 15.4.5). */
export function isExpected({ ok, status }: Response, { headers }: RequestSummary): boolean {
  return ok || (status === 304 && (headers.has('if-none-match') || headers.has('if-modified-since')));
}
