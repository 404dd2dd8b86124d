import { defer, filter, map, type Observable, throwError } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';
import { chain, type Interceptor } from '../request/Handler.js';
import { HttpContext } from '../request/HttpContext.js';
import type { HttpEvent, ResponseEvent } from '../request/HttpEvent.js';
import { HttpRequest } from '../request/HttpRequest.js';
import { isObject } from '../request/isObject.js';
import { type ClientBody, jsonBody } from '../request/jsonBody.js';
import { randomId } from '../request/randomId.js';
import { withoutSecrets } from '../request/RequestSummary.js';
import { sameOrigin } from '../request/originOf.js';
import { resolveUrl, withParams } from '../request/resolveUrl.js';
import { REQUEST_ID } from '../request/tokens.js';
import { pace } from '../pace/pace.js';
import { pacer } from '../pace/pacer.js';
import { cache } from '../read/cache.js';
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
  const operate = (request: HttpRequest, removed?: readonly string[], type?: string): Observable<HttpEvent> =>
    defer(() => road(outfit(request, removed, type)));

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
      const request = new HttpRequest(method, withParams(String(url), params), {
        ...init,
        headers: fields,
        body: encoded.body,
        context: policy === undefined ? context : context.set(RETRY, policy),
      });
      return operate(request, removed, encoded.type);
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
        ? operate(request).pipe(stopOn(request))
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

/**
 * Gives a request what the client's options say, once for the operation; `removed` are the fields that the caller took away, `type` is the
 * body's media type where nobody names one.
 */
function outfitter(options: ClientOptions): (request: HttpRequest, removed?: readonly string[], type?: string) => HttpRequest {
  const { requestIdHeader, attemptHeader, timeout, maxBytes, fetchOptions } = options;
  const baseUrl = options.baseUrl === undefined ? undefined : String(options.baseUrl);
  if (baseUrl !== undefined && !/^https?:/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '')) {
    throw new UsageError(`baseUrl is ${withoutSecrets(baseUrl)}; give an absolute http or https URL`);
  }
  if (baseUrl !== undefined && (new URL(baseUrl).username || new URL(baseUrl).password)) {
    throw new UsageError('baseUrl carries a user name or password; send an authorization header');
  }
  const defaults = toHeaders(options.headers, () => 'createClient: headers');
  for (const name of [requestIdHeader, attemptHeader]) if (name !== undefined) toHeaders({ [name]: '0' }, () => 'createClient');

  return (request, removed = [], type) => {
    checkReading(request, () => `${request.method} ${withoutSecrets(request.url)}`);
    const url = resolveUrl(request.url, baseUrl);
    const ours = isOurs(url, baseUrl);
    const headers = new Headers(type === undefined ? {} : { 'content-type': type });
    if (ours) {
      defaults.forEach((value, name) => headers.set(name, value));
      if (requestIdHeader !== undefined) headers.set(requestIdHeader, randomId());
      // The count is a station's; that the field is there says that the request wants it.
      if (attemptHeader !== undefined) headers.set(attemptHeader, '0');
    }
    for (const name of removed) headers.delete(name);
    request.headers.forEach((value, name) => {
      headers.set(name, value);
    });
    const id = requestIdHeader === undefined ? undefined : (headers.get(requestIdHeader) ?? undefined);
    const context = id === undefined ? request.context : request.context.set(REQUEST_ID, id);
    return request.clone({
      url,
      headers,
      context,
      timeout: request.timeout ?? timeout,
      maxBytes: request.maxBytes ?? maxBytes,
      fetchOptions: { ...fetchOptions, ...request.fetchOptions },
    });
  };
}

/** Whether a URL may get the client's header fields: it has the base URL's origin, or there is no base. */
function isOurs(url: string, baseUrl: ClientOptions['baseUrl']): boolean {
  return baseUrl === undefined || sameOrigin(url, String(baseUrl));
}

/** A request's own fields, and the names of those that it takes away from the client's. */
function splitHeaders(headers: RequestHeaders | undefined, place: () => string): { fields: Headers; removed: string[] } {
  if (headers === undefined) return { fields: new Headers(), removed: [] };
  const pairs = (Symbol.iterator in headers ? [...headers] : Object.entries(headers)) as [string, string | null][];
  const fields = pairs.filter((pair): pair is [string, string] => pair[1] !== null);
  return { fields: toHeaders(fields, place), removed: pairs.filter(([, value]) => value === null).map(([name]) => name) };
}
