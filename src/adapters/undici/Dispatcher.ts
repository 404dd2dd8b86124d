import { isObject } from '../../request/guards.js';

/**
 * The part of undici's Dispatcher that is used here, in the words of undici 6 to 8: an `Agent`, `Pool`, `Client`, `ProxyAgent`,
 * `MockAgent`, or one that is composed with interceptors.
 */
export interface Dispatcher {
  /** Takes `DispatchOptions` and a `DispatchHandler`; each version of undici has types of its own for them. */
  dispatch(options: object, handler: object): boolean;
}

/** True if `value` is a dispatcher, of whichever copy of undici. */
export function isDispatcher(value: unknown): value is Dispatcher {
  return isObject(value) && 'dispatch' in value && typeof value.dispatch === 'function';
}

/** Options of one request. */
export interface DispatchOptions {
  origin: string;
  path: string;
  method: string;
  headers: string[];
  body: DispatchBody | null;
  /** Milliseconds; 0 for none. */
  headersTimeout: number;
  bodyTimeout: number;
}

/** A body as undici takes it. */
export type DispatchBody = string | Uint8Array | Blob | AsyncIterable<Uint8Array>;

/** Control over a request, from undici 7 on. */
export interface DispatchController {
  /** Missing in the first releases of undici 7; of HTTP/2 a record in undici 8. */
  readonly rawHeaders?: RawHeaders | ParsedHeaders | null;
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

/** Names and values in turn. */
export type RawHeaders = readonly (Uint8Array | string)[];
export type ParsedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Callbacks of undici: the first five from version 7 on, the others before. */
export interface DispatchHandler {
  onRequestStart(controller: DispatchController): void;
  onResponseStart(controller: DispatchController, status: number, headers: ParsedHeaders, statusText?: string): void;
  onResponseData(controller: DispatchController, chunk: Uint8Array): void;
  onResponseEnd(): void;
  onResponseError(controller: DispatchController | null, error: Error): void;
  onConnect(abort: (reason?: Error) => void): void;
  /** Header fields come as a record where undici 6.0 speaks HTTP/2. */
  onHeaders(status: number, headers: RawHeaders | ParsedHeaders, resume: () => void, statusText: string): boolean;
  onData(chunk: Uint8Array): boolean;
  onComplete(): void;
  onError(error: Error): void;
}
