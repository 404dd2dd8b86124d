import { defer, type Observable, throwError } from 'rxjs';
import { RETRY } from '../operation/RETRY.js';
import { type PaceOptions, retryAndPace } from '../operation/retryAndPace.js';
import type { Limiter } from '../pace/Limiter.js';
import { type HttpRequest, isRequest } from '../request/HttpRequest.js';
import { UsageError } from '../request/errors/UsageError.js';
import { chain, type Interceptor } from '../request/Handler.js';
import { HttpContext } from '../request/HttpContext.js';
import type { HttpEvent } from '../request/HttpEvent.js';
import { type ClientBody, jsonBody } from '../request/jsonBody.js';
import { withoutSecrets } from '../request/withoutSecrets.js';
import { WATCHED } from '../request/tokens.js';
import { withParams } from '../request/urls.js';
import { takeUntilAborted } from '../transport/takeUntilAborted.js';
import { transport } from '../transport/transport.js';
import { beforeRetry } from './beforeRetry.js';
import { checkClientOptions } from './checkClientOptions.js';
import { checkRequestOptions } from './checkRequestOptions.js';
import type { ClientOptions } from './ClientOptions.js';
import { extendOptions } from './extendOptions.js';
import { splitHeaders } from './headerFields.js';
import type { AnyRequestOptions, HttpClient, ReadMethod, SendMethod, WriteMethod } from './HttpClient.js';
import { idempotency } from './idempotency.js';
import { observeAs } from './observeAs.js';
import { remakeHeaders, requestPreparer } from './prepareRequest.js';
import { warnOfTwoOwners } from './retryOwner.js';
import { pipelineType, shapeBody } from './shapeBody.js';

/** The `pace` option of a client with its defaults filled in. */
export type Pacing = (pace: ClientOptions['pace']) => ClientOptions['pace'];

/**
 * Builds a client: the one place that puts the interceptors in order, from named options.
 *
 *     interceptors -> cache -> operation (retry and pace) -> attempt interceptors -> transport
 *
 * @throws UsageError for a bad base URL, header name or policy
 */
export function buildClient(options: ClientOptions, pacing: Pacing): HttpClient {
  checkClientOptions(options);
  if (options.retry !== false) warnOfTwoOwners(options.fetch);
  // A client that extends another shares its limiter's and its cache's state.
  const shared = { ...options, pace: pacing(options.pace) };
  const prepare = requestPreparer(shared);
  const isBare = isUnobserved(shared);
  const pipeline = chain(interceptors(shared), shared.transport ?? transport(shared.fetch));

  const send = (method: string, url: string | URL, given: AnyRequestOptions = {}, ownBody?: ClientBody): Observable<unknown> => {
    const place = (): string => `${method} ${withoutSecrets(String(url))}`;
    try {
      checkRequestOptions(given, place);
    } catch (error) {
      return throwError(() => error);
    }
    const { body = ownBody, headers, params, observe = 'body', retry: policy, schema, responseType } = given;
    return observeAs(observe, () => {
      const encoded = jsonBody(body);
      const { fields, removed } = headers === undefined ? {} : splitHeaders(headers, place);
      const { context = HttpContext.empty, signal, abort$, timeout, deadline, maxBytes, fetchOptions } = given;
      const watched = isBare && observe !== 'events' ? unwatched(context) : context;
      const own = {
        headers: fields,
        body: encoded.body,
        context: policy === undefined ? watched : watched.set(RETRY, policy),
        responseType: pipelineType(responseType),
        signal,
        abort$,
        timeout,
        deadline,
        maxBytes,
        fetchOptions,
      };
      const draft = { method, url: withParams(String(url), params), own, removed, type: encoded.type };
      return prepare(draft, (request) => pipeline(request).pipe(shapeBody({ responseType, schema }, request)));
    }).pipe(takeUntilAborted(given));
  };
  const sendRequest = (request: HttpRequest): Observable<HttpEvent> =>
    isRequest(request)
      ? defer(() => prepare({ method: request.method, url: request.url, own: request }, pipeline)).pipe(takeUntilAborted(request))
      : throwError(() => new UsageError("request takes an HttpRequest; give new HttpRequest('GET', url), or use get(url)"));
  const read = (method: string) => ((url: string | URL, given?: AnyRequestOptions) => send(method, url, given)) as ReadMethod;
  const write = (method: string) =>
    ((url: string | URL, body?: ClientBody, given?: AnyRequestOptions) => send(method, url, given, body)) as WriteMethod;

  return {
    get: read('GET'),
    head: read('HEAD'),
    options: read('OPTIONS'),
    delete: read('DELETE'),
    post: write('POST'),
    put: write('PUT'),
    patch: write('PATCH'),
    request: ((request: HttpRequest | string, url: string | URL, given?: AnyRequestOptions) =>
      typeof request === 'string' ? send(request.toUpperCase(), url, given) : sendRequest(request)) as SendMethod,
    extend: (extension) => buildClient(extendOptions(shared, extension), pacing),
  };
}

/** Interceptors between the caller and the transport, in their order. */
function interceptors(options: ClientOptions): Interceptor[] {
  const { interceptors: outer = [], attemptInterceptors = [], attemptHeader, headers } = options;
  const countAttempts: Interceptor = (request, next) =>
    next(
      attemptHeader !== undefined && request.headers.has(attemptHeader)
        ? request.clone({ setHeaders: { [attemptHeader]: String(request.attempt - 1) } })
        : request,
    );
  const operate = retryAndPace(options.retry, ...admission(options.pace));
  return [
    ...outer,
    ...(options.cache ? [options.cache] : []),
    ...(options.idempotency === true ? [idempotency] : []),
    ...(options.beforeRetry ? [beforeRetry(options.beforeRetry, operate)] : [operate]),
    ...(typeof headers === 'function' ? [remakeHeaders(headers)] : []),
    ...(attemptHeader === undefined ? [] : [countAttempts]),
    ...attemptInterceptors,
  ];
}

/** True if no interceptor between a client's caller and its transport sees events. */
function isUnobserved({ interceptors = [], attemptInterceptors = [], cache: caching = false }: ClientOptions): boolean {
  return interceptors.length === 0 && attemptInterceptors.length === 0 && caching === false;
}

const UNWATCHED = /* @__PURE__ */ HttpContext.of(WATCHED, false);

function unwatched(context: HttpContext): HttpContext {
  return context === HttpContext.empty ? UNWATCHED : context.set(WATCHED, false);
}

function admission(options: ClientOptions['pace'] = {}): [limiter?: Limiter | undefined, waiting?: PaceOptions] {
  if (options === false) return [];
  if ('check' in options) return [options];
  const { limiter, ...waiting } = options;
  return [limiter, waiting];
}
