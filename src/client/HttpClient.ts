import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Observable } from 'rxjs';
import type { HttpContext } from '../request/HttpContext.js';
import type { HttpEvent, ResponseEvent } from '../request/HttpEvent.js';
import type { FetchOptions, HttpRequest, ResponseType } from '../request/HttpRequest.js';
import type { ClientBody } from '../request/jsonBody.js';
import type { Params } from '../request/urls.js';
import type { RetryOptions } from '../retry/RetryPolicy.js';
import type { ClientOptions } from './ClientOptions.js';
import type { RequestHeaders } from './headerFields.js';

/** Form in which a client reads a body: the forms of a request, and an `ArrayBuffer` or `FormData`. */
export type ClientResponseType = ResponseType | 'arrayBuffer' | 'formData';

/** Type of a body by its response type. */
export interface BodyOf {
  text: string;
  blob: Blob;
  bytes: Uint8Array;
  arrayBuffer: ArrayBuffer;
  formData: FormData;
  stream: ReadableStream<Uint8Array> | null;
}

/** Options of one request. */
export interface RequestOptions {
  /** Header fields, on top of the client's; `null` removes one. */
  readonly headers?: RequestHeaders | undefined;
  /** Body, where the method has no argument for it (DELETE, OPTIONS). */
  readonly body?: ClientBody;
  /** Query parameters, appended to those in the URL. */
  readonly params?: Params | undefined;
  /** Typed values for the interceptors. */
  readonly context?: HttpContext | undefined;
  /** Signal that ends the operation with its own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Observable that completes the operation when it emits. */
  readonly abort$?: Observable<unknown> | undefined;
  /** Milliseconds without progress after which an attempt fails; the policy's by default. */
  readonly timeout?: number | undefined;
  /** Most decoded bytes of json, text, bytes and blob; 64 MiB by default. */
  readonly maxBytes?: number | undefined;
  /** Milliseconds for the whole operation, all attempts and waits included, with `retry: false`, too; the client's by default. */
  readonly deadline?: number | undefined;
  /** Another policy than the client's, or the fields that differ from `policies.standard`; a number of retries; `false`: no retries. */
  readonly retry?: RetryOptions | number | false | undefined;
  /** Options passed to `fetch`: `credentials`, `cache`, `mode`, `redirect`, ... */
  readonly fetchOptions?: FetchOptions | undefined;
}

/** Options of any request, in whichever form its response is read. */
export interface AnyRequestOptions extends RequestOptions {
  readonly observe?: 'body' | 'response' | 'events' | undefined;
  readonly responseType?: ClientResponseType | undefined;
  readonly schema?: StandardSchemaV1 | undefined;
}

/** Options of a JSON body whose type the caller names. */
type Json = RequestOptions & { readonly responseType?: 'json' | undefined; readonly schema?: undefined };
interface AsBody {
  readonly observe?: 'body' | undefined;
}
interface AsResponse {
  readonly observe: 'response';
}
interface AsEvents {
  readonly observe: 'events';
}

/** Options that give the body's type: a schema, or a response type other than JSON. */
type Typed = AnyRequestOptions & ({ readonly responseType: keyof BodyOf } | { readonly schema: StandardSchemaV1 });

/** The keys are those of options: an inferred type would take any. */
type Known<O> = Readonly<Record<Exclude<keyof O, keyof AnyRequestOptions>, never>>;

/** The body's type by such options: a schema's output, else the response type's. */
type TypedBody<O> = O extends { readonly schema: infer S extends StandardSchemaV1 }
  ? StandardSchemaV1.InferOutput<S>
  : O extends { readonly responseType: infer R extends keyof BodyOf }
    ? BodyOf[R]
    : unknown;

/** Values emitted by such options. */
type Observed<O, B = TypedBody<O>> = O extends AsResponse ? ResponseEvent<B> : O extends AsEvents ? HttpEvent<B> : B;

/** A method without a body: GET, HEAD, OPTIONS, DELETE. */
export interface ReadMethod {
  <T = unknown>(url: string | URL, options?: Json & AsBody): Observable<T>;
  <T = unknown>(url: string | URL, options: Json & AsResponse): Observable<ResponseEvent<T>>;
  <T = unknown>(url: string | URL, options: Json & AsEvents): Observable<HttpEvent<T>>;
  <const O extends Typed>(url: string | URL, options: O & Known<O>): Observable<Observed<O>>;
}

/** A method with a body: POST, PUT, PATCH. */
export interface WriteMethod {
  <T = unknown>(url: string | URL, body?: ClientBody, options?: Json & AsBody): Observable<T>;
  <T = unknown>(url: string | URL, body: ClientBody, options: Json & AsResponse): Observable<ResponseEvent<T>>;
  <T = unknown>(url: string | URL, body: ClientBody, options: Json & AsEvents): Observable<HttpEvent<T>>;
  <const O extends Typed>(url: string | URL, body: ClientBody, options: O & Known<O>): Observable<Observed<O>>;
}

/** Any method by its name, or a request value. */
export interface SendMethod {
  /** Sends a request value along the whole pipeline; emits its events, the last one of type `'response'`. An error body stays unread. */
  (request: HttpRequest): Observable<HttpEvent>;
  /** Sends a request like `get` and `post`, with the option `body` as its body. */
  <T = unknown>(method: string, url: string | URL, options?: Json & AsBody): Observable<T>;
  <T = unknown>(method: string, url: string | URL, options: Json & AsResponse): Observable<ResponseEvent<T>>;
  <T = unknown>(method: string, url: string | URL, options: Json & AsEvents): Observable<HttpEvent<T>>;
  <const O extends Typed>(method: string, url: string | URL, options: O & Known<O>): Observable<Observed<O>>;
}

/**
 * An HTTP client whose methods are cold observables: each subscription is one operation, with its own retries, id and abort.
 *
 * `observe` chooses what is emitted: the `'body'` (default), the `'response'` with status and headers, or all `'events'`. `responseType`
 * chooses how the body is read: `'json'` (default; HEAD, 204, 205 and empty bodies give `null`), `'text'`, `'blob'`, `'bytes'`,
 * `'arrayBuffer'`, `'formData'`, or the unread `'stream'`, which fails when a read of it
 * waits for longer than the timeout. `schema` checks the body, by any library that knows the Standard Schema (zod, valibot,
 * arktype), and gives its type; a body that does not match is a `BodyError` with the `issues`. A body function or anything that `fetch` takes is sent as it is, everything else as JSON.
 *
 * Errors: `HttpError` (with up to 64 KiB of the error body in `.body`), `NetworkError`, `TimeoutError`, `DeadlineError`, `BodyError`,
 * `UsageError`, or the signal's own reason. Unsubscribing aborts, in an attempt and in a wait.
 */
export interface HttpClient {
  readonly get: ReadMethod;
  readonly head: ReadMethod;
  readonly options: ReadMethod;
  readonly delete: ReadMethod;
  readonly post: WriteMethod;
  readonly put: WriteMethod;
  readonly patch: WriteMethod;
  readonly request: SendMethod;
  /**
   * A client with the options of this one and others on top. It shares pacer and cache with this one unless the options bring their own.
   * Header fields and `fetchOptions` are merged one by one (`null` removes a field), `retry` field by field; interceptors are appended.
   */
  readonly extend: (options: ClientOptions) => HttpClient;
}
