import type { Observable, ObservableInput } from 'rxjs';
import type { FetchLike } from '../request/FetchLike.js';
import type { RequestBody } from '../request/RequestBody.js';
import type { Dispatch } from './Dispatch.js';

/** One sending of one request. */
export interface Call {
  readonly input: string | URL | Request;
  /** The init that `fetch` gets, but for body and signal. */
  readonly init: RequestInit;
  readonly body: RequestBody | undefined;
  /** The caller's signal; the maker of the exchange applies it, the errors carry it. */
  readonly signal: AbortSignal | undefined;
  readonly abort$: Observable<unknown> | undefined;
  /** Milliseconds without progress. */
  readonly timeout: number;
  /** Undefined: the platform's, looked up at the send. */
  readonly fetch: FetchLike | undefined;
  /** Takes the place of `fetch`, where given. */
  readonly dispatch?: Dispatch | undefined;
}

/** Hears what happens on the way. */
export interface ExchangeListener {
  sent(): void;
  upload(loaded: number, total: number | undefined): void;
  headers(response: Response): void;
}

/** Influence of the reader of an answer on its exchange. */
export interface Reading {
  /** Bytes came: the idle time starts again. */
  readonly touch: () => void;
  /** The body has ended, or is somebody else's now: unsubscribing no longer aborts it, and nothing waits for its bytes. */
  readonly releaseBody: () => void;
  /** The body failed with this error. */
  readonly broken: (error: unknown) => void;
  /** The answer with a body that fails by the idle timeout, however it is read; from now on that watches. */
  readonly guard: () => Response;
}

/** Reads an answer. */
export type ReadAnswer<T> = (response: Response, reading: Reading) => ObservableInput<T>;
