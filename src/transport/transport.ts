import { Observable, of, type ObservableInput, map } from 'rxjs';
import type { FetchLike } from '../request/FetchLike.js';
import type { Handler } from '../request/Handler.js';
import type { HttpEvent, ResponseEvent } from '../request/HttpEvent.js';
import type { HttpRequest } from '../request/HttpRequest.js';
import { FOREIGN, ON_SEND } from '../request/tokens.js';
import { type Reading, TIMEOUT } from './Call.js';
import type { Dispatch } from './Dispatch.js';
import { exchange } from './exchange.js';
import { readBody, type ReadOptions } from './readBody.js';
import { safelisted } from './redirect.js';
import { handOn } from './responseOf.js';

/** Statuses whose answers have no body, and HEAD, which never has one (RFC 9110 sections 9.3.2, 15.3.5, 15.3.6, 15.4.5). */
const BODILESS = [204, 205, 304];

/**
 * The end of the pipeline: sends a request with `fetch` and tells what happens as events, body reading included. A signal or `abort$` of the
 * request is not heard here: whoever owns the operation applies them once; the errors carry them.
 *
 * @param fetch the platform's, looked up at each send, unless given
 * @param dispatch takes the place of `fetch`
 */
export function transport(fetch?: FetchLike, dispatch?: Dispatch): Handler {
  return (request) =>
    new Observable<HttpEvent>((subscriber) => {
      const { attempt, url, method, context, body, fetchOptions, signal, abort$, timeout = TIMEOUT } = request;
      const headers = context.get(FOREIGN) ? safelisted(request.headers) : request.headers;
      context.get(ON_SEND)?.(headers);
      const call = { input: url, init: { ...fetchOptions, method, headers }, body, signal, abort$, timeout, fetch, dispatch };
      const read = (given: Response, { touch, guard, broken, releaseBody }: Reading): ObservableInput<ResponseEvent> => {
        const response = request.responseType === 'stream' ? guard() : given;
        const progress = (loaded: number): void => {
          touch();
          const total = lengthOf(response);
          subscriber.next({ type: 'download', attempt, loaded, ...(total !== undefined && { total }) });
        };
        return readAnswer(request, response, { progress, broken }).pipe(
          map((body) => {
            // Before it is emitted: the receiver may unsubscribe right then.
            releaseBody();
            const { status, headers } = response;
            return { type: 'response', attempt, status, headers, url: response.url || url, body };
          }),
        );
      };
      const listener = {
        sent: () => {
          subscriber.next({ type: 'sent', attempt });
        },
        upload: (loaded: number, total: number | undefined) => {
          subscriber.next({ type: 'upload', attempt, loaded, ...(total !== undefined && { total }) });
        },
        headers: (response: Response) => {
          subscriber.next({ type: 'headers', attempt, status: response.status, headers: response.headers, url: response.url || url });
        },
      };
      subscriber.add(exchange(call, read, listener).subscribe(subscriber));
    });
}

function readAnswer(request: HttpRequest, response: Response, hooks: Pick<ReadOptions, 'progress' | 'broken'>): Observable<unknown> {
  const { responseType, method, maxBytes } = request;
  if (responseType === 'stream') return of(handOn(response));
  if (method === 'HEAD' || BODILESS.includes(response.status)) return of(null);
  return readBody(response, responseType, { maxBytes, ...hooks });
}

// With a content-encoding the length is that of the encoded bytes, not of those read.
function lengthOf({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length !== null && !headers.has('content-encoding') && /^\d+$/.test(length) ? Number(length) : undefined;
}
