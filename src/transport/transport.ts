import { Observable, type ObservableInput, of, type Subscriber } from 'rxjs';
import { TIMEOUT } from '../request/defaults.js';
import type { FetchLike } from '../request/FetchLike.js';
import type { Handler } from '../request/Handler.js';
import type { HttpEvent, ResponseEvent } from '../request/HttpEvent.js';
import type { HttpRequest } from '../request/HttpRequest.js';
import { FOREIGN, ON_SEND, WATCHED } from '../request/tokens.js';
import type { ExchangeListener, Reading } from './Call.js';
import type { Dispatch } from './Dispatch.js';
import { convertBody } from './convertBody.js';
import { startExchange } from './exchange.js';
import { readAs } from './readBody.js';
import { safelisted } from './redirect.js';
import { handOn } from './responseOf.js';
import { NULL_BODY_STATUSES } from './guardBody.js';

/**
 * The end of the pipeline: sends a request with `fetch` and emits its course as events, body reading included. A signal or `abort$` of the
 * request has no effect here: the owner of the operation applies them once; the errors carry them.
 *
 * @param fetch the platform's, looked up at each send, unless given
 * @param dispatch takes the place of `fetch`
 */
export function transport(fetch?: FetchLike, dispatch?: Dispatch): Handler {
  return (request) =>
    new Observable<HttpEvent>((subscriber) => {
      const { url, method, context, body, fetchOptions, signal, abort$, timeout = TIMEOUT } = request;
      const headers = context.get(FOREIGN) ? safelisted(request.headers) : request.headers;
      context.get(ON_SEND)?.(headers);
      // The order: a new key behind a spread makes the copy some twenty times slower (measured on Node 20), so the keys come first; they are
      // then set once more, over those of the spread.
      const init: RequestInit = { method, headers, ...fetchOptions };
      init.method = method;
      init.headers = headers;
      const call = { input: url, init, body, signal, abort$, timeout, fetch, dispatch };
      const events = new TransportEvents(request, subscriber);
      startExchange(call, subscriber, (response, reading) => events.read(response, reading), events);
    });
}

/** Events of one request. */
class TransportEvents implements ExchangeListener {
  readonly #request: HttpRequest;
  readonly #subscriber: Subscriber<HttpEvent>;
  readonly #isWatched: boolean;

  constructor(request: HttpRequest, subscriber: Subscriber<HttpEvent>) {
    this.#request = request;
    this.#subscriber = subscriber;
    this.#isWatched = request.context.get(WATCHED);
  }

  sent(): void {
    if (this.#isWatched) this.#subscriber.next({ type: 'sent', attempt: this.#request.attempt });
  }

  upload(loaded: number, total: number | undefined): void {
    if (this.#isWatched)
      this.#subscriber.next({ type: 'upload', attempt: this.#request.attempt, loaded, ...(total !== undefined && { total }) });
  }

  headers(response: Response): void {
    const { attempt, url } = this.#request;
    this.#subscriber.next({ type: 'headers', attempt, status: response.status, headers: response.headers, url: response.url || url });
  }

  /** Reads a response as its request asks. */
  read(given: Response, reading: Reading): ObservableInput<ResponseEvent> {
    const { method, responseType, maxBytes } = this.#request;
    const { touch, broken } = reading;
    if (responseType === 'stream') {
      const guarded = reading.guard();
      return of(handOn(guarded, this.#answer(guarded, reading, null)));
    }
    if (method === 'HEAD' || NULL_BODY_STATUSES.includes(given.status)) return of(this.#answer(given, reading, null));
    const progress = this.#isWatched ? this.#download(given, touch) : touch;
    return readAs(given, { maxBytes, progress, broken }, (bytes) =>
      this.#answer(given, reading, convertBody(bytes, responseType, given.headers)),
    );
  }

  #download(response: Response, touch: () => void): (loaded: number) => void {
    const { attempt } = this.#request;
    return (loaded) => {
      touch();
      const total = lengthOf(response);
      this.#subscriber.next({ type: 'download', attempt, loaded, ...(total !== undefined && { total }) });
    };
  }

  #answer({ status, headers, url }: Response, { releaseBody }: Reading, body: unknown): ResponseEvent {
    // The body is released before the event is emitted: the receiver may unsubscribe right then.
    releaseBody();
    return { type: 'response', attempt: this.#request.attempt, status, headers, url: url || this.#request.url, body };
  }
}

// The length of a body with a content-encoding is that of the encoded bytes, not of those read.
function lengthOf({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length !== null && !headers.has('content-encoding') && /^\d+$/.test(length) ? Number(length) : undefined;
}
