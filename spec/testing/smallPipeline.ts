import { concat, defer, from, ignoreElements, mergeMap, NEVER, Observable, of, takeUntil, throwError, timeout, timer } from 'rxjs';
import type { ScriptedFetch } from 'coldfetch/testing';

/** Too many attempts failed, or one that is not retried. */
export class GaveUp extends Error {
  constructor(
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(`gave up on a ${status}`, options);
  }
}

export interface WaitEvent {
  readonly type: 'wait';
  readonly source: string;
  readonly delay: number;
}

/** Properties that make the pipeline right. A mutant has one of them wrong. */
export interface Parts {
  /** Number of retries. */
  readonly retries: number;
  /** Milliseconds without an answer. */
  readonly timeout: number;
  readonly method: string;
  /** Key of the number of retries. */
  readonly counter: () => { retries: number };
  readonly attemptHeader: (retries: number) => string;
  readonly isTransient: (status: number) => boolean;
  readonly waitFor: (response: Response, retries: number) => Omit<WaitEvent, 'type'>;
  readonly discard: (response: Response) => void;
  readonly pause: (delay: number) => Observable<unknown>;
  readonly goOn: (pause$: Observable<unknown>, attempt$: Observable<unknown>) => Observable<unknown>;
  readonly giveUp: (response: Response) => Observable<never>;
  readonly read: (response: Response) => PromiseLike<unknown>;
  readonly signal: (controller: AbortController) => AbortSignal | null;
  readonly stop: (stop$: Observable<unknown>) => Observable<unknown>;
}

export const rightParts: Parts = {
  retries: 2,
  timeout: 30_000,
  method: 'GET',
  counter: () => ({ retries: 0 }),
  attemptHeader: (retries) => String(retries),
  isTransient: (status) => status === 429 || status >= 500,
  waitFor: (response, retries) => {
    const seconds = response.headers.get('retry-after');
    return seconds === null ? { source: 'backoff', delay: 1000 * 2 ** retries } : { source: 'retryAfter', delay: Number(seconds) * 1000 };
  },
  discard: (response) => void response.body?.cancel(),
  pause: (delay) => timer(delay),
  goOn: (pause$, attempt$) => concat(pause$.pipe(ignoreElements()), attempt$),
  giveUp: (response) => throwError(() => new GaveUp(response.status, { cause: response })),
  read: (response) => response.json(),
  signal: (controller) => controller.signal,
  stop: (stop$) => stop$,
};

/** A pipeline small enough to break on purpose: it asks, waits as told, asks again, and gives the parsed answer; waits are events. */
export function smallPipeline(
  fetch: ScriptedFetch,
  url: string,
  parts: Parts = rightParts,
  stop$: Observable<unknown> = NEVER,
): Observable<unknown> {
  return defer(() => {
    const counter = parts.counter();
    const attempt = (): Observable<unknown> => send(fetch, url, parts, counter.retries).pipe(mergeMap((response) => answered(response)));
    const answered = (response: Response): Observable<unknown> => {
      if (response.ok) return from(parts.read(response));
      if (!parts.isTransient(response.status) || counter.retries >= parts.retries) return parts.giveUp(response);
      parts.discard(response);
      const wait = { type: 'wait', ...parts.waitFor(response, counter.retries++) };
      return concat(of(wait), parts.goOn(parts.pause(wait.delay), defer(attempt)));
    };
    return attempt().pipe(takeUntil(parts.stop(stop$)));
  });
}

function send(fetch: ScriptedFetch, url: string, parts: Parts, retries: number): Observable<Response> {
  return new Observable((subscriber) => {
    const controller = new AbortController();
    const init = { method: parts.method, headers: { 'x-attempt': parts.attemptHeader(retries) }, signal: parts.signal(controller) };
    // The signal has to end the request, not the response's subscription, as with the platform's fetch.
    let over = false;
    fetch(url, init)
      .pipe(timeout(parts.timeout))
      .subscribe({
        next: (response) => {
          over = true;
          subscriber.next(response);
          subscriber.complete();
        },
        error: (error: unknown) => subscriber.error(error),
      });
    return () => {
      if (!over) controller.abort();
    };
  });
}
