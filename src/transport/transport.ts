import { Observable, of, type ObservableInput } from 'rxjs';
import { TIMEOUT } from '../request/defaults.js';
import type { FetchLike } from '../request/FetchLike.js';
import type { Handler } from '../request/Handler.js';
import type { HttpEvent, ResponseEvent } from '../request/HttpEvent.js';
import { FOREIGN, ON_SEND, WATCHED } from '../request/tokens.js';
import type { Reading } from './Call.js';
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
      const { attempt, url, method, context, body, fetchOptions, responseType, maxBytes, signal, abort$, timeout = TIMEOUT } = request;
      const isWatched = context.get(WATCHED);
      const headers = context.get(FOREIGN) ? safelisted(request.headers) : request.headers;
      context.get(ON_SEND)?.(headers);
      // The order: a new key behind a spread makes the copy some twenty times slower (measured on Node 20), so the keys come first; they are
      // then set once more, over those of the spread.
      const init: RequestInit = { method, headers, ...fetchOptions };
      Object.assign(init, { method, headers });
      const call = { input: url, init, body, signal, abort$, timeout, fetch, dispatch };
      const read = (given: Response, { touch, guard, broken, releaseBody }: Reading): ObservableInput<ResponseEvent> => {
        const response = responseType === 'stream' ? guard() : given;
        const progress = (loaded: number): void => {
          touch();
          const total = lengthOf(response);
          subscriber.next({ type: 'download', attempt, loaded, ...(total !== undefined && { total }) });
        };
        const { status } = response;
        const answer = (body: unknown): ResponseEvent => {
          // The body is released before the event is emitted: the receiver may unsubscribe right then.
          releaseBody();
          return { type: 'response', attempt, status, headers: response.headers, url: response.url || url, body };
        };
        if (responseType === 'stream') return of(handOn(response, answer(null)));
        if (method === 'HEAD' || NULL_BODY_STATUSES.includes(status)) return of(answer(null));
        return readAs(response, { maxBytes, progress: isWatched ? progress : touch, broken }, (bytes) =>
          answer(convertBody(bytes, responseType, response.headers)),
        );
      };
      const listener = {
        sent: () => {
          if (isWatched) subscriber.next({ type: 'sent', attempt });
        },
        upload: (loaded: number, total: number | undefined) => {
          if (isWatched) subscriber.next({ type: 'upload', attempt, loaded, ...(total !== undefined && { total }) });
        },
        headers: (response: Response) => {
          subscriber.next({ type: 'headers', attempt, status: response.status, headers: response.headers, url: response.url || url });
        },
      };
      startExchange(call, subscriber, read, listener);
    });
}

// The length of a body with a content-encoding is that of the encoded bytes, not of those read.
function lengthOf({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length !== null && !headers.has('content-encoding') && /^\d+$/.test(length) ? Number(length) : undefined;
}
