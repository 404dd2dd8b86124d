import type { Observable } from 'rxjs';
import type { HttpContext } from '../request/HttpContext.js';
import type { HttpEvent, ResponseEvent } from '../request/HttpEvent.js';
import type { FetchOptions, HttpRequest, ResponseType } from '../request/HttpRequest.js';
import type { ClientBody } from '../request/jsonBody.js';
import type { Params } from '../request/resolveUrl.js';
import type { RetryOptions } from '../retry/RetryPolicy.js';

/** Header fields of one request; `null` removes one that the client would send. */
export type RequestHeaders = Headers | Readonly<Record<string, string | null>> | readonly (readonly [string, string])[];

/** What a body is, read as a response type. */
export interface BodyOf {
  text: string;
  blob: Blob;
  bytes: Uint8Array;
  stream: ReadableStream<Uint8Array> | null;
}

/** Options of one request. */
export interface RequestOptions {
  /** Header fields, on top of the client's; `null` removes one. */
  readonly headers?: RequestHeaders | undefined;
  /** What is sent, where the method has no argument for it (DELETE, OPTIONS). */
  readonly body?: ClientBody;
  /** Query parameters, behind those in the URL. */
  readonly params?: Params | undefined;
  /** Typed values for the stations on the road. */
  readonly context?: HttpContext | undefined;
  /** Ends it with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Completes it when it emits. */
  readonly abort$?: Observable<unknown> | undefined;
  /** Milliseconds without progress after which an attempt fails; the policy's by default. */
  readonly timeout?: number | undefined;
  /** Most decoded bytes of json, text, bytes and blob; 64 MiB by default. */
  readonly maxBytes?: number | undefined;
  /** Another policy than the client's, or what differs from `policies.standard`; `false`: no retries. */
  readonly retry?: RetryOptions | false | undefined;
  /** What is passed to `fetch` as it is: `credentials`, `cache`, `mode`, ... */
  readonly fetchOptions?: FetchOptions | undefined;
}

/** What a method takes, whatever its answer becomes. */
export interface AnyRequestOptions extends RequestOptions {
  readonly observe?: 'body' | 'response' | 'events' | undefined;
  readonly responseType?: ResponseType | undefined;
}

type Json = RequestOptions & { readonly responseType?: 'json' | undefined };
type Other<R extends ResponseType> = RequestOptions & { readonly responseType: R };
interface AsBody {
  readonly observe?: 'body' | undefined;
}
interface AsResponse {
  readonly observe: 'response';
}
interface AsEvents {
  readonly observe: 'events';
}

/** A method without a body: GET, HEAD, OPTIONS, DELETE. */
export interface Read {
  <T = unknown>(url: string | URL, options?: Json & AsBody): Observable<T>;
  <T = unknown>(url: string | URL, options: Json & AsResponse): Observable<ResponseEvent<T>>;
  <T = unknown>(url: string | URL, options: Json & AsEvents): Observable<HttpEvent<T>>;
  <R extends keyof BodyOf>(url: string | URL, options: Other<R> & AsBody): Observable<BodyOf[R]>;
  <R extends keyof BodyOf>(url: string | URL, options: Other<R> & AsResponse): Observable<ResponseEvent<BodyOf[R]>>;
  <R extends keyof BodyOf>(url: string | URL, options: Other<R> & AsEvents): Observable<HttpEvent<BodyOf[R]>>;
}

/** A method with a body: POST, PUT, PATCH. */
export interface Write {
  <T = unknown>(url: string | URL, body?: ClientBody, options?: Json & AsBody): Observable<T>;
  <T = unknown>(url: string | URL, body: ClientBody, options: Json & AsResponse): Observable<ResponseEvent<T>>;
  <T = unknown>(url: string | URL, body: ClientBody, options: Json & AsEvents): Observable<HttpEvent<T>>;
  <R extends keyof BodyOf>(url: string | URL, body: ClientBody, options: Other<R> & AsBody): Observable<BodyOf[R]>;
  <R extends keyof BodyOf>(url: string | URL, body: ClientBody, options: Other<R> & AsResponse): Observable<ResponseEvent<BodyOf[R]>>;
  <R extends keyof BodyOf>(url: string | URL, body: ClientBody, options: Other<R> & AsEvents): Observable<HttpEvent<BodyOf[R]>>;
}

/**
 * An HTTP client whose methods are cold observables: each subscription is one operation, with its own retries, id and abort.
 *
 * `observe` chooses what is emitted: the `'body'` (default), the `'response'` with status and headers, or all `'events'`. `responseType`
 * chooses how the body is read: `'json'` (default; HEAD, 204, 205 and empty bodies give `null`), `'text'`, `'blob'`, `'bytes'`, or the unread
 * `'stream'`. A body function or anything that `fetch` takes is sent as it is, everything else as JSON.
 *
 * Errors: `HttpError` (with up to 64 KiB of the error body in `.body`), `NetworkError`, `TimeoutError`, `DeadlineError`, `BodyError`,
 * `UsageError`, or the signal's own reason. Unsubscribing aborts, in an attempt and in a wait.
 */
export interface HttpClient {
  readonly get: Read;
  readonly head: Read;
  readonly options: Read;
  readonly delete: Read;
  readonly post: Write;
  readonly put: Write;
  readonly patch: Write;
  /** Sends a request value along the whole road; emits its events, the last one of type `'response'`. An error body stays unread. */
  readonly request: (request: HttpRequest) => Observable<HttpEvent>;
}
