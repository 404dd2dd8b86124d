import { concat, defer, finalize, from, ignoreElements, NEVER, type Observable, of, tap, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { HttpError } from '../../../src/request/errors/HttpError.js';
import { NetworkError } from '../../../src/request/errors/NetworkError.js';
import type { Handler, Interceptor } from '../../../src/request/Handler.js';
import type { HttpEvent, ResponseEvent } from '../../../src/request/HttpEvent.js';
import { HttpRequest, type HttpRequestInit } from '../../../src/request/HttpRequest.js';
import { RequestSummary } from '../../../src/request/RequestSummary.js';
import { wait } from '../../../src/time.js';

export const ROWS = 'https://api.example/rows';

/** An answer that is fresh for a minute. */
export const fresh = { headers: { 'cache-control': 'max-age=60' } };

/** Error of a request while nobody answers. */
export const down = new NetworkError('GET https://api.example/rows: refused', 'ECONNREFUSED');

/** Answer of the origin to one request. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Time that the response takes, in ms. */
  readonly after?: number;
  /** Set where the request fails, or is never answered. */
  readonly error?: unknown;
  readonly silent?: boolean;
}

export interface Origin {
  readonly handler: Handler;
  /** The requests that reached it. */
  readonly requests: HttpRequest[];
  /** Number of requests that were unsubscribed before they had ended. */
  aborted: number;
}

/** The pipeline behind a cache: it gives the replies in turn, the last one for ever, as retry and transport do. */
export function origin(...replies: readonly Reply[]): Origin {
  const self: Origin = {
    requests: [],
    aborted: 0,
    handler: (request) => {
      const reply = replies[Math.min(self.requests.length, replies.length - 1)] ?? {};
      self.requests.push(request);
      const answer$ = concat(wait(reply.after ?? 0).pipe(ignoreElements()), answer(request, reply));
      return counted(
        self,
        concat(of<HttpEvent>({ type: 'sent', attempt: 1 }), reply.after === undefined ? answer(request, reply) : answer$),
      );
    },
  };
  return self;
}

function counted(self: Origin, events$: Observable<HttpEvent>): Observable<HttpEvent> {
  return defer(() => {
    let ended = false;
    return events$.pipe(
      tap({ error: () => (ended = true), complete: () => (ended = true) }),
      finalize(() => {
        if (!ended) self.aborted++;
      }),
    );
  });
}

function answer(request: HttpRequest, { status = 200, headers = {}, body = 'body', error, silent }: Reply): Observable<HttpEvent> {
  if (silent === true) return NEVER;
  if (error !== undefined) return throwError(() => error);
  const head = { attempt: 1, status, headers: new Headers(headers), url: request.url };
  if ((status < 200 || status > 299) && status !== 304) {
    const { method, url } = request;
    const response = new Response(body, { status, headers });
    return throwError(() => new HttpError(response, new RequestSummary(method, url, request.headers)));
  }
  const bytes = request.method === 'HEAD' || status === 304 || status === 204 ? null : new TextEncoder().encode(body);
  return from<HttpEvent[]>([
    { type: 'headers', ...head },
    { type: 'response', ...head, body: request.responseType === 'bytes' ? bytes : bytes && new TextDecoder().decode(bytes) },
  ]);
}

/** A request for text. */
export function get(url: string, init: HttpRequestInit & { readonly method?: string } = {}): HttpRequest {
  return new HttpRequest(init.method ?? 'GET', url, { responseType: 'text', ...init });
}

/** Notifications of a subscriber. */
export interface Heard {
  readonly events: HttpEvent[];
  readonly response: ResponseEvent | undefined;
  error: unknown;
  completed: boolean;
}

/** Subscribes and notes. */
export function hear(events$: Observable<HttpEvent>): Heard {
  const heard = {
    events: [] as HttpEvent[],
    error: undefined as unknown,
    completed: false,
    get response() {
      return heard.events.find((event): event is ResponseEvent => event.type === 'response');
    },
  };
  events$.subscribe({
    next: (event) => heard.events.push(event),
    error: (error: unknown) => {
      heard.error = error;
    },
    complete: () => {
      heard.completed = true;
    },
  });
  return heard;
}

/** Runs in virtual time; `at` does something at a moment. */
export function virtually(play: (at: (ms: number, act: () => void) => void) => void): void {
  new TestScheduler(() => {}).run(() => {
    play((ms, act) => {
      wait(ms).subscribe(act);
    });
  });
}

/** One reading through a cache. */
export function ask(interceptor: Interceptor, { handler }: Origin, request: HttpRequest): Heard {
  return hear(interceptor(request, handler));
}
