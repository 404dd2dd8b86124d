import type { Observable } from 'rxjs';
import { isObject } from './guards.js';
import { HttpContext } from './HttpContext.js';
import type { RequestBody } from './RequestBody.js';
import { withoutSecrets } from './withoutSecrets.js';
import { type HeadersInit, immutableHeaders, toHeaders } from './toHeaders.js';

/** Form in which a client reads a body: parsed JSON, text, a Blob, a `Uint8Array`, or the unread stream. */
export type ResponseType = 'json' | 'text' | 'blob' | 'bytes' | 'stream';

/** Options of the platform's `fetch` for which an `HttpRequest` has no field. */
export type FetchOptions = Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal' | 'duplex'>;

/** The fields of an {@link HttpRequest} that have a default. */
export interface HttpRequestInit {
  /** Header fields. */
  readonly headers?: HeadersInit | Headers | undefined;
  /** Body; a function makes it anew for each attempt. */
  readonly body?: RequestBody | undefined;
  /** Typed values for the interceptors. */
  readonly context?: HttpContext | undefined;
  /** Number of the attempt within its operation, from 1. */
  readonly attempt?: number | undefined;
  /** Form in which the body is read; `'json'` by default. */
  readonly responseType?: ResponseType | undefined;
  /** Signal that ends the operation with its own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Observable that completes the operation when it emits. */
  readonly abort$?: Observable<unknown> | undefined;
  /** Time without progress after which an attempt fails, in ms; `Infinity`: none. */
  readonly timeout?: number | undefined;
  /** Time for the whole operation, waits included, in ms; the policy's by default, `Infinity`: none. */
  readonly deadline?: number | undefined;
  /** Most decoded bytes that json, text, bytes and blob may have. */
  readonly maxBytes?: number | undefined;
  /** Options passed to `fetch` unchanged: `credentials`, `cache`, `redirect`, ... */
  readonly fetchOptions?: FetchOptions | undefined;
}

/** Fields that `clone` may change. */
export type HttpRequestChanges = HttpRequestInit & {
  readonly method?: string;
  readonly url?: string;
  /** Fields that are set (or, with `null`, removed) on top of the others. */
  readonly setHeaders?: Readonly<Record<string, string | null>>;
};

/**
 * A request as a value: immutable, passed from interceptor to interceptor, changed by making another.
 *
 * Do not write to `headers`; `clone({ setHeaders })` gives a request with other ones.
 *
 * @example
 * const signed: Interceptor = (request, next) => next(request.clone({ setHeaders: { authorization: `Bearer ${token()}` } }));
 */
export class HttpRequest {
  readonly headers: Headers;
  readonly body: RequestBody | undefined;
  readonly context: HttpContext;
  readonly attempt: number;
  readonly responseType: ResponseType;
  readonly signal: AbortSignal | undefined;
  readonly abort$: Observable<unknown> | undefined;
  readonly timeout: number | undefined;
  readonly deadline: number | undefined;
  readonly maxBytes: number | undefined;
  readonly fetchOptions: FetchOptions;

  constructor(
    readonly method: string,
    readonly url: string,
    init: HttpRequestInit = {},
  ) {
    this.headers = immutableHeaders(toHeaders(init.headers, () => `${method} ${withoutSecrets(url)}`));
    this.body = init.body;
    this.context = init.context ?? HttpContext.empty;
    this.attempt = init.attempt ?? 1;
    this.responseType = init.responseType ?? 'json';
    this.signal = init.signal;
    this.abort$ = init.abort$;
    this.timeout = init.timeout;
    this.deadline = init.deadline;
    this.maxBytes = init.maxBytes;
    this.fetchOptions = init.fetchOptions ?? {};
  }

  /** A request that differs from this one in `changes`. */
  clone(changes: HttpRequestChanges = {}): HttpRequest {
    const { method = this.method, url = this.url, setHeaders, ...init } = changes;
    if (!setHeaders) return new HttpRequest(method, url, { ...this, ...init });
    const place = (): string => `${method} ${withoutSecrets(url)}`;
    const headers = new Headers(toHeaders(init.headers ?? this.headers, place));
    for (const [name, value] of Object.entries(setHeaders)) {
      if (value === null) headers.delete(name);
      else toHeaders({ [name]: value }, place).forEach((valid) => headers.set(name, valid));
    }
    return new HttpRequest(method, url, { ...this, ...init, headers });
  }
}

/** True if `value` is a request, by the fields that are read of it: a copy of this library has a class of its own. */
export function isRequest(value: unknown): value is HttpRequest {
  const { method, url, headers, context, clone } = Object(value) as Partial<HttpRequest>;
  return typeof method === 'string' && typeof url === 'string' && isObject(headers) && isObject(context) && typeof clone === 'function';
}
