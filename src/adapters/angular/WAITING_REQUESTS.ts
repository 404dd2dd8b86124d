import { computed, inject, InjectionToken, type Signal, signal } from '@angular/core';
import type { WaitEvent } from '../../request/HttpEvent.js';
import { withoutSecrets } from '../../request/withoutSecrets.js';
import type { WaitObserver } from './WaitObserver.js';

/** A request that waits. */
export interface WaitingRequest {
  /** Method, in upper case. */
  readonly method: string;
  /** URL without query and credentials. */
  readonly url: string;
  /** The wait in its latest form. */
  readonly wait: WaitEvent;
}

/** List of the requests that wait now. */
interface WaitingList {
  readonly requests: Signal<readonly WaitingRequest[]>;
  /** Observer that keeps one request in the list while it waits. */
  readonly observe: (method: string, url: string) => WaitObserver;
}

/** The list behind `WAITING_REQUESTS`. */
export const WAITING_LIST = new InjectionToken<WaitingList>('coldfetch waiting list', { providedIn: 'root', factory: waitingList });

/**
 * Requests of the application that wait now, oldest first, as a signal: those of coldfetch's client, and those of Angular's `HttpClient` that pass
 * `retryAfterInterceptor`.
 *
 * @example
 * ```ts
 * readonly waiting = inject(WAITING_REQUESTS);
 * // @if (waiting().length) { <p role="status">The server is busy: {{ waiting().length }} requests wait.</p> }
 * ```
 */
export const WAITING_REQUESTS = new InjectionToken<Signal<readonly WaitingRequest[]>>('coldfetch waiting requests', {
  providedIn: 'root',
  factory: () => inject(WAITING_LIST).requests,
});

function waitingList(): WaitingList {
  const waiting = signal<ReadonlyMap<object, WaitingRequest>>(new Map());
  return {
    requests: computed(() => [...waiting().values()]),
    observe: (method, url) => {
      const key = {};
      return (wait) =>
        waiting.update((others) => {
          const all = new Map(others);
          if (wait) all.set(key, { method, url: withoutSecrets(url), wait });
          else all.delete(key);
          return all;
        });
    },
  };
}
