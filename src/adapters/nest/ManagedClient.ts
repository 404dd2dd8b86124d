import type { BeforeApplicationShutdown } from '@nestjs/common';
import { defer, type Observable, Subject, takeUntil, tap } from 'rxjs';
import type { ClientOptions } from '../../client/ClientOptions.js';
import { createClient, defaultPacer } from '../../client/createClient.js';
import type { HttpClient } from '../../client/HttpClient.js';
import type { Limiter } from '../../pace/Limiter.js';
import type { Interceptor } from '../../request/Handler.js';
import type { HttpEvent } from '../../request/HttpEvent.js';
import { RequestSummary } from '../../request/RequestSummary.js';
import type { ClientEvent } from './ClientEvent.js';

/** A client, its events, and its end with the application. */
export class ManagedClient implements BeforeApplicationShutdown {
  readonly client: HttpClient;
  /** The limiter that the client paces by; undefined where it paces by none. */
  readonly limiter: Limiter | undefined;
  readonly #events = new Subject<ClientEvent>();
  readonly #shutdown = new Subject<never>();
  readonly events$: Observable<ClientEvent> = this.#events.asObservable();

  constructor({ pace, interceptors = [], ...options }: ClientOptions) {
    const { limiter, paceOptions } = shareable(pace);
    this.limiter = limiter;
    this.client = createClient({ ...options, pace: paceOptions, interceptors: [this.#watch, ...interceptors] });
  }

  /**
   * Fails all requests in flight or waiting with an `AbortError`, and all later ones. By then every `onModuleDestroy` has run, and the
   * server still listens: a handler that waits for a throttled server would keep it from closing.
   */
  beforeApplicationShutdown(): void {
    this.#shutdown.error(new DOMException('The application is shutting down', 'AbortError'));
    this.#events.complete();
  }

  readonly #watch: Interceptor = (request, next) =>
    defer(() => {
      const summary = new RequestSummary(request.method, request.url, request.headers);
      const emit = (event: ClientEvent['event']): void => this.#events.next({ request: summary, event });
      const watched = tap<HttpEvent>({ next: emit, error: (error: unknown) => emit({ type: 'failed', error }) });
      return next(request).pipe(watched, takeUntil(this.#shutdown));
    });
}

/** The limiter of a client's `pace`, and the `pace` that uses it. */
function shareable(pace: ClientOptions['pace']): { readonly limiter?: Limiter; readonly paceOptions: ClientOptions['pace'] } {
  if (pace === false) return { paceOptions: false };
  if (pace !== undefined && 'take' in pace) return { limiter: pace, paceOptions: pace };
  const limiter = pace?.limiter ?? defaultPacer();
  return { limiter, paceOptions: { ...pace, limiter } };
}
