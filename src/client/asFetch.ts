import { catchError, defer, filter, firstValueFrom, map, mergeMap, type Observable, of, throwError } from 'rxjs';
import { isHttpError } from '../request/errors/HttpError.js';
import type { ResponseEvent } from '../request/HttpEvent.js';
import { type FetchOptions, HttpRequest } from '../request/HttpRequest.js';
import type { RequestBody } from '../request/RequestBody.js';
import { copyReport } from '../operation/retryReport.js';
import { MAX_BUFFER, readAhead } from '../transport/readAhead.js';
import { responseOf } from '../transport/responseOf.js';
import { stopOn } from '../transport/stopOn.js';
import { abortableResponse } from './abortableResponse.js';
import type { ClientOptions } from './ClientOptions.js';
import { createClient } from './createClient.js';
import { platformError } from './platformError.js';
import { ownsRetry } from './retryOwner.js';

/** Options of {@link asFetch}: a client's, and how much it keeps. */
export interface AsFetchOptions extends ClientOptions {
  /** Most bytes of a Request's body that are kept to be sent again; a longer one is sent once. 64 MiB by default. */
  readonly maxBuffer?: number | undefined;
}

/**
 * A drop-in `fetch` with the whole pipeline behind it, for any SDK that takes a custom one. Switch the SDK's own retries off: one layer retries.
 *
 * It resolves with the server's last answer, whatever its status, when retries run out (`retryReport(response)` knows why). It rejects as
 * `fetch` does: with the signal's own reason, or with a TypeError whose `cause` has the code of a network failure (`isNetworkError` and
 * `isUsageError` know it); beside these, with a `TimeoutError` or `DeadlineError`. A Request's body is kept in memory, once, so that it can be
 * sent again. The signal and the timeout reach the answer's body until that has ended, and leave no listener.
 *
 * @example
 * const octokit = new Octokit({ request: { fetch: asFetch({ retry: policies.api }) } });
 */
export function asFetch({ maxBuffer = MAX_BUFFER, ...options }: AsFetchOptions = {}): typeof fetch {
  const http = createClient(options);
  const retrying: typeof fetch = (input, init = {}) => {
    const request = input instanceof Request ? input : undefined;
    const { method, headers, body, signal: given, ...fetchOptions } = { ...(request && fetchOptionsOf(request)), ...init };
    // A null takes the Request's signal away (fetch standard, new Request(), step 28).
    const signal = given === undefined ? request?.signal : (given ?? undefined);
    const bodyOf = (): Observable<RequestBody | undefined> =>
      body !== undefined && body !== null ? of(body) : request ? readAhead(request, { limit: maxBuffer }) : of(undefined);
    const answer$ = defer(bodyOf).pipe(
      mergeMap((sent) =>
        http.request(
          new HttpRequest((method ?? request?.method ?? 'GET').toUpperCase(), input instanceof Request ? input.url : String(input), {
            headers: headers ?? request?.headers,
            body: sent,
            signal,
            responseType: 'stream',
            fetchOptions,
          }),
        ),
      ),
      filter((event): event is ResponseEvent => event.type === 'response'),
      map(toResponse),
      catchError((error: unknown) => (isHttpError(error) ? of(error.response) : throwError(() => platformError(error)))),
      map((response) => copyReport(response, abortableResponse(response, signal))),
      // While a Request's body is read, too.
      stopOn({ signal }),
    );
    return firstValueFrom(answer$);
  };
  return options.retry === false ? retrying : ownsRetry(retrying);
}

/** Options of a Request beside method, header fields, body and signal. */
function fetchOptionsOf(request: Request): FetchOptions {
  const { credentials, integrity, keepalive, mode, redirect, referrer, referrerPolicy } = request;
  // A navigation cannot be sent by a script.
  return { credentials, integrity, keepalive, redirect, referrer, referrerPolicy, ...(mode !== 'navigate' && { mode }) };
}

/** The answer behind an event: the very one that `fetch` gave, unless an interceptor made its own. */
function toResponse({ body, status, headers, url }: ResponseEvent): Response {
  const given = responseOf(headers);
  if (given?.status === status && given.body === body) return given;
  const made = new Response(body as ReadableStream<Uint8Array> | null, { status, headers });
  Object.defineProperty(made, 'url', { value: url, configurable: true });
  return made;
}
