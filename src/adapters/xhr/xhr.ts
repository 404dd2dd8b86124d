import { mergeMap, Observable } from 'rxjs';
import { MAX_BYTES, TIMEOUT } from '../../request/defaults.js';
import { BodyError } from '../../request/errors/BodyError.js';
import { HttpError, isExpected } from '../../request/errors/HttpError.js';
import { NetworkError } from '../../request/errors/NetworkError.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { whenKnown } from '../../request/MaybeAsync.js';
import type { Handler } from '../../request/Handler.js';
import type { HttpEvent } from '../../request/HttpEvent.js';
import type { HttpRequest } from '../../request/HttpRequest.js';
import { isAsyncIterable, isFormData, isFormStream } from '../../request/bodyShapes.js';
import { encodeForm } from '../../request/multipart.js';
import { type Body, isStreamBody } from '../../request/RequestBody.js';
import type { RequestSummary } from '../../request/RequestSummary.js';
import { FOREIGN, ON_SEND } from '../../request/tokens.js';
import { watchdog } from '../../time.js';
import { checkCall } from '../../transport/checkCall.js';
import { makeBody, toObservable } from '../../transport/makeBody.js';
import { idleTimeout } from '../../transport/idleTimeout.js';
import { pageFailure } from '../../transport/pageFailure.js';
import { convertBody } from '../../transport/convertBody.js';
import { safelisted } from '../../transport/redirect.js';
import { handOn } from '../../transport/responseOf.js';
import { checkFetchOptions } from './checkFetchOptions.js';
import { type OpenResponse, openResponse } from './openResponse.js';
import { platformXhr, type XhrProgress } from './XmlHttpRequest.js';

/** The state of an XMLHttpRequest whose header fields have arrived. */
const HEADERS_RECEIVED = 2;

/**
 * A transport on XMLHttpRequest, for the `transport` option of a client: in a browser it alone reports the bytes of an upload.
 *
 * Events, errors, abort and the idle timeout are those of `fetch`; while bytes go up or come down an attempt does not time out. What differs:
 *
 * - A response comes in one piece: `responseType: 'stream'` gives its bytes when all have arrived, so event streams belong to a client with
 *   `fetch`.
 * - A body that is a stream is read into memory before it is sent.
 * - Redirects are followed by the browser, and so are they counted: `redirect: 'error'`, and the other options that XMLHttpRequest lacks
 *   (`cache`, `keepalive`, `mode`, ...), are a UsageError.
 * - A body that goes to another origin costs a preflight even where `fetch` would do without: that is the price of its progress.
 *
 * @example
 * const http = createClient({ baseUrl: '/api', transport: xhr() });
 * http.post('photos', file, { observe: 'events' }).subscribe((event) => {
 *   if (event.type === 'upload') bar.value = event.loaded / (event.total ?? file.size);
 * });
 */
export function xhr(): Handler {
  return (given) =>
    new Observable<HttpEvent>((subscriber) => {
      const sent = given.context.get(FOREIGN) ? given.clone({ headers: safelisted(given.headers) }) : given;
      const { url, method, headers, context, body, signal, abort$, timeout = TIMEOUT } = sent;
      context.get(ON_SEND)?.(headers);
      const summary = checkCall({ input: url, init: { method, headers }, body, signal, abort$, timeout, fetch: undefined });
      checkFetchOptions(sent);
      const making = new AbortController();
      subscriber.add(() => {
        making.abort();
      });
      const sending$ = toObservable(makeBody({ input: url, body }, making)).pipe(
        mergeMap((made) => whenKnown(sendable(made, summary), 'body', (ready) => exchange(sent, summary, ready))),
      );
      subscriber.add(sending$.subscribe(subscriber));
    });
}

/** A body as XMLHttpRequest takes it: a stream is read into a Blob. */
function sendable(body: Body | undefined, request: RequestSummary): unknown {
  if (body instanceof ReadableStream) return new Response(body).blob();
  if (isStreamBody(body)) return new Response(body.stream, { headers: body.type ? { 'content-type': body.type } : {} }).blob();
  if (isFormData(body) && !(body instanceof FormData)) return encodeForm(body);
  if (!isAsyncIterable(body) && !isFormStream(body)) return body;
  throw new UsageError(
    `${request.toString()}: an async iterable, or a stream of Node, cannot be sent by XMLHttpRequest; give a Blob or a ReadableStream`,
    {
      request,
    },
  );
}

function exchange(request: HttpRequest, summary: RequestSummary, body: unknown): Observable<HttpEvent> {
  const { attempt, url, method, headers, responseType, timeout = TIMEOUT, maxBytes = MAX_BYTES } = request;
  return new Observable((subscriber) => {
    const Xhr = platformXhr();
    if (!Xhr) throw new UsageError(`${summary.toString()}: there is no XMLHttpRequest here; leave transport out, to send by fetch`);
    const xhr = new Xhr();
    let answer: OpenResponse | undefined;
    let ownsBody = true;
    const idle = watchdog(timeout, () => {
      subscriber.error(idleTimeout(timeout, summary).timeoutError());
    });
    subscriber.add(() => {
      idle.unsubscribe();
      if (ownsBody) xhr.abort();
    });

    const progress = (type: 'upload' | 'download'): ((progress: XhrProgress) => void) => {
      let last = -1;
      return ({ loaded, total, lengthComputable }) => {
        idle.touch();
        // XMLHttpRequest reports the last bytes twice.
        if (loaded === last) return;
        last = loaded;
        subscriber.next({ type, attempt, loaded, ...(lengthComputable && { total }) });
      };
    };
    const downloaded = progress('download');

    const receive = (): void => {
      idle.touch();
      answer = openResponse(xhr, url);
      const { response } = answer;
      const head = { attempt, status: response.status, headers: response.headers, url: response.url };
      subscriber.next({ type: 'headers', ...head });
      // The body belongs to the receiver from here on: unsubscribing no longer aborts it.
      ownsBody = isExpected(response, summary) && responseType !== 'stream';
      if (!isExpected(response, summary)) {
        subscriber.error(new HttpError(response, summary));
      } else if (!ownsBody) {
        subscriber.next(handOn(response, { type: 'response', ...head }));
        subscriber.complete();
      }
    };

    const deliver = ({ status, headers: fields, url: from, body: stream }: Response, bytes: Uint8Array): void => {
      ownsBody = false;
      try {
        const value = method === 'HEAD' || stream === null ? null : convertBody(bytes, responseType, fields);
        subscriber.next({ type: 'response', attempt, status, headers: fields, url: from, body: value });
        subscriber.complete();
      } catch (cause) {
        subscriber.error(new BodyError(`${summary.toString()}: ${(cause as Error).message}`, { cause, request: summary }));
      }
    };

    xhr.onreadystatechange = () => {
      if (xhr.readyState === HEADERS_RECEIVED && !subscriber.closed) receive();
    };
    xhr.onprogress = (event) => {
      if (subscriber.closed) return;
      downloaded(event);
      if (event.loaded <= maxBytes) return;
      const problem = `the body is longer than ${maxBytes} bytes; raise maxBytes`;
      subscriber.error(new BodyError(`${summary.toString()}: ${problem}`, { request: summary }));
    };
    xhr.onload = () => {
      const bytes = new Uint8Array(xhr.response as ArrayBuffer);
      if (answer && !subscriber.closed) deliver(answer.response, bytes);
      else answer?.end(bytes);
    };
    xhr.onerror = () => {
      const { detail, code } = (answer ? undefined : pageFailure(url)) ?? { detail: answer ? 'the answer broke off' : 'no answer came' };
      const error = new NetworkError(`${summary.toString()}: ${detail}`, code, { request: summary });
      ownsBody = false;
      answer?.fail(error);
      subscriber.error(error);
    };
    if (body !== undefined) xhr.upload.onprogress = xhr.upload.onload = progress('upload');

    xhr.open(method, url, true);
    headers.forEach((value, name) => {
      xhr.setRequestHeader(name, value);
    });
    xhr.responseType = 'arraybuffer';
    xhr.withCredentials = request.fetchOptions.credentials === 'include';
    idle.touch();
    subscriber.next({ type: 'sent', attempt });
    if (!subscriber.closed) xhr.send(body);
  });
}
