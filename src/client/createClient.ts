import { defer, filter, map, type Observable, throwError } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';
import { chain, type Interceptor } from '../request/Handler.js';
import { HttpContext } from '../request/HttpContext.js';
import type { ResponseEvent } from '../request/HttpEvent.js';
import { HttpRequest, type HttpRequestInit } from '../request/HttpRequest.js';
import { isHttpUrl } from '../request/isHttpUrl.js';
import { isObject } from '../request/isObject.js';
import { type ClientBody, jsonBody } from '../request/jsonBody.js';
import { randomId } from '../request/randomId.js';
import { withoutSecrets } from '../request/RequestSummary.js';
import { originOf } from '../request/originOf.js';
import { resolveUrl, withParams } from '../request/resolveUrl.js';
import { REQUEST_ID } from '../request/tokens.js';
import { pace } from '../pace/pace.js';
import { pacer } from '../pace/pacer.js';
import { cache } from '../read/cache/cache.js';
import { retry, RETRY } from '../retry/retry.js';
import { toHeaders } from '../request/toHeaders.js';
import { stopOn } from '../transport/stopOn.js';
import { transport } from '../transport/transport.js';
import { checkClientOptions } from './checkClientOptions.js';
import { checkReading, checkRequestOptions } from './checkRequestOptions.js';
import type { ClientOptions } from './ClientOptions.js';
import { errorBody } from './errorBody.js';
import { idempotency } from './idempotency.js';
import { warnOfTwoOwners } from './retryOwner.js';
import type { AnyRequestOptions, HttpClient, Read, RequestHeaders, Write } from './HttpClient.js';

/**
 * Makes a client: the one place that puts the stations of the road in order, from named options.
 *
 *     interceptors -> cache -> retry -> pace -> attempt interceptors -> fetch
 *
 * @example
 * const http = createClient({ baseUrl: 'https://api.example.com/v2', headers: { authorization: `Bearer ${token}` } });
 * http.get<User>('users/1').subscribe((user) => show(user));
 * http.post('users', { name: 'Ada' }, { observe: 'events' }).subscribe((event) => log(event.type));
 *
 * @throws UsageError for a bad base URL, header name or policy
 */
export function createClient(options: ClientOptions = {}): HttpClient {
  checkClientOptions(options);
  if (options.retry !== false) warnOfTwoOwners(options.fetch);
  const outfit = outfitter(options);
  const road = chain(stations(options), transport(options.fetch));

  const send = (method: string, url: string | URL, given: AnyRequestOptions = {}, ownBody?: ClientBody): Observable<unknown> => {
    const place = (): string => `${method} ${withoutSecrets(String(url))}`;
    try {
      checkRequestOptions(given, place);
    } catch (error) {
      return throwError(() => error);
    }
    const { body = ownBody, headers, params, context = HttpContext.empty, observe = 'body', retry: policy, ...init } = given;
    const events$ = defer(() => {
      const encoded = jsonBody(body);
      const { fields, removed } = splitHeaders(headers, place);
      const own = {
        headers: fields,
        body: encoded.body,
        context: policy === undefined ? context : context.set(RETRY, policy),
        ...init,
      };
      return road(outfit(method, withParams(String(url), params), own, removed, encoded.type));
    }).pipe(errorBody(), stopOn(given));
    if (observe === 'events') return events$;
    const response$ = events$.pipe(filter((event): event is ResponseEvent => event.type === 'response'));
    return observe === 'response' ? response$ : response$.pipe(map((response) => response.body));
  };
  const read = (method: string) => ((url: string | URL, given?: AnyRequestOptions) => send(method, url, given)) as Read;
  const write = (method: string) =>
    ((url: string | URL, body?: ClientBody, given?: AnyRequestOptions) => send(method, url, given, body)) as Write;

  return {
    get: read('GET'),
    head: read('HEAD'),
    options: read('OPTIONS'),
    delete: read('DELETE'),
    post: write('POST'),
    put: write('PUT'),
    patch: write('PATCH'),
    request: (request) =>
      isRequest(request)
        ? defer(() => road(outfit(request.method, request.url, request))).pipe(stopOn(request))
        : throwError(() => new UsageError("request takes an HttpRequest; give new HttpRequest('GET', url), or use get(url)")),
  };
}

/** By what is read of it: a copy of this library has a class of its own. */
function isRequest(value: unknown): boolean {
  const { method, url, headers, context, clone } = Object(value) as Partial<HttpRequest>;
  return typeof method === 'string' && typeof url === 'string' && isObject(headers) && isObject(context) && typeof clone === 'function';
}

/** The stations between the caller and `fetch`, in their order. */
function stations(options: ClientOptions): Interceptor[] {
  const { interceptors = [], attemptInterceptors = [], attemptHeader } = options;
  const countAttempts: Interceptor = (request, next) =>
    next(
      attemptHeader !== undefined && request.headers.has(attemptHeader)
        ? request.clone({ setHeaders: { [attemptHeader]: String(request.attempt - 1) } })
        : request,
    );
  return [
    ...interceptors,
    ...cached(options.cache),
    ...(options.idempotency === true ? [idempotency] : []),
    retry(options.retry),
    ...paced(options.pace),
    ...(attemptHeader === undefined ? [] : [countAttempts]),
    ...attemptInterceptors,
  ];
}

function cached(options: ClientOptions['cache'] = false): Interceptor[] {
  return options === false ? [] : [cache(options === true ? {} : options)];
}

function paced(options: ClientOptions['pace'] = {}): Interceptor[] {
  if (options === false) return [];
  if ('check' in options) return [pace(options)];
  const { limiter = pacer(), ...waiting } = options;
  return [pace(limiter, waiting)];
}

/** Makes the request of one operation. */
type Outfit = (method: string, url: string, own: HttpRequestInit, removed?: readonly string[], type?: string) => HttpRequest;

/**
 * Gives a request what the client's options say, once for the operation, under what is its own; `removed` are the fields that the caller took
 * away, `type` is the body's media type where nobody names one.
 */
function outfitter(options: ClientOptions): Outfit {
  const { requestIdHeader, attemptHeader, timeout, maxBytes, fetchOptions } = options;
  const baseUrl = options.baseUrl === undefined ? undefined : String(options.baseUrl);
  if (baseUrl !== undefined && !isHttpUrl(baseUrl)) {
    throw new UsageError(`baseUrl is ${withoutSecrets(baseUrl)}; give an absolute http or https URL`);
  }
  if (baseUrl !== undefined && (new URL(baseUrl).username || new URL(baseUrl).password)) {
    throw new UsageError('baseUrl carries a user name or password; send an authorization header');
  }
  const home = baseUrl === undefined ? undefined : originOf(baseUrl);
  const defaults = toHeaders(options.headers, () => 'createClient: headers');
  for (const name of [requestIdHeader, attemptHeader]) if (name !== undefined) toHeaders({ [name]: '0' }, () => 'createClient');

  return (method, given, own, removed = [], type) => {
    const place = (): string => `${method} ${withoutSecrets(given)}`;
    checkReading(own, place);
    const url = resolveUrl(given, baseUrl);
    // The client's header fields go to the base URL's origin only; without a base, everywhere.
    const ours = home === undefined || originOf(url) === home;
    const headers = new Headers(ours ? defaults : undefined);
    if (type !== undefined && !headers.has('content-type')) headers.set('content-type', type);
    if (ours) {
      if (requestIdHeader !== undefined) headers.set(requestIdHeader, randomId());
      // The count is a station's; that the field is there says that the request wants it.
      if (attemptHeader !== undefined) headers.set(attemptHeader, '0');
    }
    for (const name of removed) headers.delete(name);
    if (own.headers) {
      toHeaders(own.headers, place).forEach((value, name) => {
        headers.set(name, value);
      });
    }
    const { body, context = HttpContext.empty, attempt, responseType, signal, abort$ } = own;
    const id = requestIdHeader === undefined ? null : headers.get(requestIdHeader);
    const init: Required<HttpRequestInit> = {
      headers,
      body,
      context: id === null ? context : context.set(REQUEST_ID, id),
      attempt,
      responseType,
      signal,
      abort$,
      timeout: own.timeout ?? timeout,
      maxBytes: own.maxBytes ?? maxBytes,
      fetchOptions: { ...fetchOptions, ...own.fetchOptions },
    };
    return new HttpRequest(method, url, init);
  };
}

/** A request's own fields, and the names of those that it takes away from the client's. */
function splitHeaders(
  headers: RequestHeaders | undefined,
  place: () => string,
): { readonly fields?: Headers; readonly removed?: readonly string[] } {
  if (headers === undefined) return {};
  const pairs = (Symbol.iterator in headers ? [...headers] : Object.entries(headers)) as [string, string | null][];
  const fields = pairs.filter((pair): pair is [string, string] => pair[1] !== null);
  return { fields: toHeaders(fields, place), removed: pairs.filter(([, value]) => value === null).map(([name]) => name) };
}
