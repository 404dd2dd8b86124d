import { of } from 'rxjs';
import { type MaybeAsync, whenKnown } from '../request/MaybeAsync.js';
import type { Handler, Interceptor } from '../request/Handler.js';
import { HttpContext, HttpContextToken } from '../request/HttpContext.js';
import { HttpRequest, type HttpRequestInit } from '../request/HttpRequest.js';
import { originOf, resolveUrl } from '../request/urls.js';
import { randomId } from '../request/randomId.js';
import { withoutSecrets } from '../request/withoutSecrets.js';
import { immutableHeaders, toHeaders } from '../request/toHeaders.js';
import { REQUEST_ID } from '../request/tokens.js';
import { elapsed } from '../time.js';
import { absoluteBase } from './baseUrl.js';
import { checkReading } from './checkRequestOptions.js';
import type { ClientOptions } from './ClientOptions.js';
import { type HeadersFunction, type RequestHeaders, splitHeaders } from './headerFields.js';

/** The request of one operation as its caller gives it. */
export interface Draft {
  readonly method: string;
  readonly url: string;
  readonly own: HttpRequestInit;
  /** Names of the client's header fields that the caller takes away, in lower case. */
  readonly removed?: readonly string[] | undefined;
  /** The body's media type, used where the headers name none. */
  readonly type?: string | undefined;
}

/** Header fields that a client's function made for a request; further attempts make them anew. */
interface MadeHeaders {
  readonly fields: Headers;
  /** Names of the fields that the request sets or removes itself: the client's fields of these names do not count. */
  readonly own: ReadonlySet<string>;
  /** Moment at which they were made, of the `elapsed()` clock. */
  readonly at: number;
}

const MADE_HEADERS = /* @__PURE__ */ new HttpContextToken<MadeHeaders | undefined>('made headers', () => undefined);

/** Milliseconds after which header fields are made anew even for a first attempt: it may have been held for longer than a token lives. */
const FRESH = 1_000;

/**
 * Completes the request of an operation with the client's options, under its own ones, and hands it on.
 *
 * @throws UsageError at once for a bad base URL or header name
 */
export function requestPreparer(options: ClientOptions): (draft: Draft, send: Handler) => ReturnType<Handler> {
  const { headers: given, requestIdHeader, attemptHeader, timeout, deadline, maxBytes, fetchOptions } = options;
  const base = baseOf(options);
  const fixed = given === undefined || typeof given === 'function' ? undefined : clientFields(given);
  const counters = [requestIdHeader, attemptHeader].filter((name) => name !== undefined);
  for (const name of counters) toHeaders({ [name]: '0' }, () => 'createClient');

  function fieldsOf({ method, own, removed = [], type }: Draft, url: string, isHome: boolean): Headers {
    const place = (): string => `${method} ${withoutSecrets(url)}`;
    if (fixed === undefined && counters.length === 0 && type === undefined) return toHeaders(own.headers, place);
    const headers = new Headers(isHome ? fixed : undefined);
    if (type !== undefined && !headers.has('content-type')) headers.set('content-type', type);
    if (isHome) {
      if (requestIdHeader !== undefined) headers.set(requestIdHeader, randomId());
      // The attempt number is set by an interceptor; the field's presence shows that the request asks for it.
      if (attemptHeader !== undefined) headers.set(attemptHeader, '0');
    }
    for (const name of removed) headers.delete(name);
    if (own.headers) toHeaders(own.headers, place).forEach((value, name) => headers.set(name, value));
    return immutableHeaders(headers);
  }

  function complete(draft: Draft, url: string, isHome: boolean): HttpRequest {
    const { method, own } = draft;
    const headers = fieldsOf(draft, url, isHome);
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
      deadline: own.deadline ?? deadline,
      maxBytes: own.maxBytes ?? maxBytes,
      fetchOptions: fetchOptions && own.fetchOptions ? { ...fetchOptions, ...own.fetchOptions } : (fetchOptions ?? own.fetchOptions),
    };
    return new HttpRequest(method, url, init);
  }

  function addHeaders(request: HttpRequest, { own: { headers }, removed = [], type }: Draft, made: RequestHeaders): HttpRequest {
    const own = new Set([...removed, ...counters, ...new Headers(headers).keys()].map((name) => name.toLowerCase()));
    const fields = clientFields(made);
    const needsType = type !== undefined && !fields.has('content-type') && !own.has('content-type');
    return request.clone({
      setHeaders: { ...changes(request, { fields: new Headers(), own }, fields), ...(needsType && { 'content-type': type }) },
      context: request.context.set(MADE_HEADERS, { fields, own, at: elapsed() }),
    });
  }

  return (draft, send) =>
    whenKnown(base(), 'baseUrl', (baseUrl) => {
      checkReading(draft.own, () => `${draft.method} ${withoutSecrets(draft.url)}`);
      const url = resolveUrl(draft.url, baseUrl);
      // Header fields of the client go to the base URL's origin only; without a base, everywhere.
      const isHome = baseUrl === undefined || originOf(url) === originOf(baseUrl);
      if (typeof given !== 'function' || !isHome) return send(complete(draft, url, isHome));
      const request = complete({ ...draft, type: undefined }, url, isHome);
      return whenKnown(given(request), 'headers', (made) => send(addHeaders(request, draft, made)));
    });
}

/** Makes the header fields of a client anew for each attempt after the first, and for a first one that was held. */
export function remakeHeaders(make: HeadersFunction): Interceptor {
  return (request, next) => {
    const made = request.context.get(MADE_HEADERS);
    if (!made || (request.attempt === 1 && elapsed() - made.at < FRESH)) return next(request);
    return whenKnown(make(request), 'headers', (fields) =>
      next(request.clone({ setHeaders: changes(request, made, clientFields(fields)) })),
    );
  };
}

/**
 * Changes of the client's header fields since `before`. A field that an interceptor has set or removed since stays as the interceptor left
 * it.
 */
function changes({ headers }: HttpRequest, before: Omit<MadeHeaders, 'at'>, now: Headers): Record<string, string | null> {
  const names = [...new Set([...before.fields.keys(), ...now.keys()])];
  const ours = names.filter((name) => !before.own.has(name) && headers.get(name) === before.fields.get(name));
  return Object.fromEntries(ours.map((name) => [name, now.get(name)]));
}

function clientFields(headers: RequestHeaders): Headers {
  return splitHeaders(headers, () => 'createClient: headers').fields;
}

/** Makes the base URL in full, for each operation. */
function baseOf({ baseUrl, origin }: ClientOptions): () => MaybeAsync<string | undefined> {
  if (typeof baseUrl === 'function') return () => whenKnown(baseUrl(), 'baseUrl', (made) => of(absoluteBase(made, origin)));
  const base = baseUrl === undefined ? undefined : absoluteBase(baseUrl, origin);
  return () => base;
}
