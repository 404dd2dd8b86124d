import { defer, mergeMap, type Observable } from 'rxjs';
import { copyReport } from '../operation/retryReport.js';
import { rebrand } from '../request/errors/ColdfetchError.js';
import { isHttpError } from '../request/errors/HttpError.js';
import { isNetworkError, type NetworkError } from '../request/errors/NetworkError.js';
import { isUsageError } from '../request/errors/UsageError.js';
import type { HttpEvent, ResponseEvent } from '../request/HttpEvent.js';
import { type FetchOptions, HttpRequest } from '../request/HttpRequest.js';
import type { RequestBody } from '../request/RequestBody.js';
import { bodyControl } from '../transport/bodyControl.js';
import { failOnAbort } from '../transport/failOnAbort.js';
import { guardBody } from '../transport/guardBody.js';
import { MAX_BUFFER, readAhead } from '../transport/readAhead.js';
import { responseOf } from '../transport/responseOf.js';
import { takeUntilAborted } from '../transport/takeUntilAborted.js';
import type { ClientOptions } from './ClientOptions.js';
import type { HttpClient } from './HttpClient.js';
import { ownsRetry } from './retryOwner.js';

/** Options of `asFetch`: a client's, and the bound of the memory for a Request's body. */
export interface AsFetchOptions extends ClientOptions {
  /** Most bytes of a Request's body that are kept to be sent again; a longer one is sent once. 64 MiB by default. */
  readonly maxBuffer?: number | undefined;
}

/** The `fetch` over a client that `create` makes. */
export function fetchOver(
  { maxBuffer = MAX_BUFFER, ...options }: AsFetchOptions,
  create: (options: ClientOptions) => HttpClient,
): typeof fetch {
  const http = create(options);
  const retrying: typeof fetch = (input, init = {}) => {
    const request = input instanceof Request ? input : undefined;
    const { method, headers, body, signal: given, ...fetchOptions } = { ...(request && fetchOptionsOf(request)), ...init };
    // A null takes the Request's signal away (fetch standard, new Request(), step 28).
    const signal = given === undefined ? request?.signal : (given ?? undefined);
    const send = (sent: RequestBody | undefined): Observable<HttpEvent> =>
      http.request(
        new HttpRequest((method ?? request?.method ?? 'GET').toUpperCase(), input instanceof Request ? input.url : String(input), {
          headers: headers ?? request?.headers,
          body: sent,
          signal,
          responseType: 'stream',
          fetchOptions,
        }),
      );
    const events$ = defer(() =>
      request && (body === undefined || body === null)
        ? readAhead(request, { limit: maxBuffer }).pipe(takeUntilAborted({ signal }), mergeMap(send))
        : send(body ?? undefined),
    );
    return answerOf(events$, (response) => copyReport(response, abortableResponse(response, signal)));
  };
  return options.retry === false ? retrying : ownsRetry(retrying);
}

/**
 * The response among events, of any status. One subscriber does it all: an operator for each step costs more than the steps together
 * (measured).
 */
function answerOf(events$: Observable<HttpEvent>, handOver: (response: Response) => Response): Promise<Response> {
  return new Promise((resolve, reject) => {
    let answered = false;
    events$.subscribe({
      next: (event) => {
        if (event.type !== 'response') return;
        answered = true;
        resolve(handOver(toResponse(event)));
      },
      error: (error: unknown) => {
        if (isHttpError(error)) resolve(handOver(error.response));
        else reject(platformError(error));
      },
      complete: () => {
        if (!answered) reject(new DOMException('The request was ended by an abort$', 'AbortError'));
      },
    });
  });
}

/** Options of a Request beside method, header fields, body and signal. */
function fetchOptionsOf(request: Request): FetchOptions {
  const { credentials, integrity, keepalive, mode, redirect, referrer, referrerPolicy } = request;
  // A navigation cannot be sent by a script.
  return { credentials, integrity, keepalive, redirect, referrer, referrerPolicy, ...(mode !== 'navigate' && { mode }) };
}

/** The response behind an event: the very object that `fetch` gave, unless an interceptor made another. */
function toResponse(event: ResponseEvent): Response {
  const { status, headers, url } = event;
  const given = responseOf(headers);
  // The comparison asks a copied event for its body, which makes its stream.
  if (given?.status === status && (responseOf(event) === given || given.body === event.body)) return given;
  const made = new Response(event.body as ReadableStream<Uint8Array> | null, { status, headers });
  Object.defineProperty(made, 'url', { value: url, configurable: true });
  return made;
}

/**
 * A response whose body is reached by `signal`, and by the idle timeout of its request, until it has ended: an abort fails it with the
 * signal's own reason, silence with a TimeoutError. Afterwards (or when the body is dropped unread) no listener is left.
 */
function abortableResponse(response: Response, signal: AbortSignal | undefined): Response {
  const control = bodyControl(response);
  const listen = signal && failOnAbort(signal);
  if (control?.failBy) {
    if (listen) control.failBy(listen);
    return response;
  }
  const idle = control?.takeIdleTimeout();
  return listen || idle ? guardBody(response, { idle, listen }) : response;
}

/**
 * An error in the form of `fetch`, for callers that tell failures apart as `fetch` does: a NetworkError or UsageError becomes a TypeError
 * whose `cause` has the code. Guards still accept it, since it has the brand and the fields of the original. Other errors stay as they are.
 */
function platformError(error: unknown): unknown {
  if (error instanceof TypeError) return error;
  if (isNetworkError(error)) return copyReport(error, rebrand(fetchFailed(error), error));
  return isUsageError(error) ? rebrand(new TypeError(error.message, { cause: error }), error) : error;
}

/** The message is the platform's own, since callers look for that. */
function fetchFailed(error: NetworkError): TypeError {
  const { name, message, cause } = Object(error.cause) as Partial<Error>;
  return new TypeError(name === 'TypeError' ? message : 'fetch failed', { cause: cause ?? error.cause ?? error });
}
