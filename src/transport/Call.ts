import type { Observable, ObservableInput } from 'rxjs';
import type { FetchLike } from '../request/FetchLike.js';
import type { RequestBody } from '../request/RequestBody.js';
import type { Dispatch } from './Dispatch.js';

/** One sending of one request. */
export interface Call {
  readonly input: string | URL | Request;
  /** The init for `fetch`, without body and signal. */
  readonly init: RequestInit;
  readonly body: RequestBody | undefined;
  /** The caller's signal; the maker of the exchange applies it, the errors carry it. */
  readonly signal: AbortSignal | undefined;
  readonly abort$: Observable<unknown> | undefined;
  /** Milliseconds without progress. */
  readonly timeout: number;
  /** The `fetch` to call; undefined: the platform's, looked up at the send. */
  readonly fetch: FetchLike | undefined;
  /** Sends the call in place of `fetch`, where given. */
  readonly dispatch?: Dispatch | undefined;
}

/** Listener to the progress of an exchange. */
export interface ExchangeListener {
  sent(): void;
  upload(loaded: number, total: number | undefined): void;
  headers(response: Response): void;
}

/** Influence of a response's reader on its exchange. */
export interface Reading {
  /** Restarts the idle time: bytes came. */
  readonly touch: () => void;
  /** Releases the body, which has ended or has another owner now: unsubscribing no longer aborts it, and nothing waits for its bytes. */
  readonly releaseBody: () => void;
  /** Reports the error with which the body failed. */
  readonly broken: (error: unknown) => void;
  /** The response with a body that fails by the idle timeout, however it is read; from now on the body watches. */
  readonly guard: () => Response;
}

/** Reads a response. */
export type ReadAnswer<T> = (response: Response, reading: Reading) => ObservableInput<T>;
