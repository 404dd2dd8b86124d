import { HttpContext, HttpContextToken } from '@angular/common/http';
import type { WaitObserver } from './WaitObserver.js';

/** Receiver of the waits of one request of Angular's `HttpClient`; `waitsTo` sets it. */
export const WAITS = new HttpContextToken<WaitObserver | undefined>(() => undefined);

/**
 * Context of a request of Angular's `HttpClient`, or of an `httpResource`, whose own waits a component shows. It needs `retryAfterInterceptor`.
 *
 * @example
 * ```ts
 * readonly wait = signal<WaitEvent | undefined>(undefined); // in the template: @if (wait(); as wait) { next try at {{ wait.until | date: 'mediumTime' }} }
 * readonly report = httpResource<Report>(() => ({ url: '/api/report', context: waitsTo(this.wait) }));
 * ```
 *
 * @param observer a writable signal, an observer or a function; it receives `undefined` when a wait is over. One for each request: two that tell
 *   the same signal at once overwrite each other
 * @param context a context that carries other values; the observer is set in it
 */
export function waitsTo(observer: WaitObserver, context: HttpContext = new HttpContext()): HttpContext {
  return context.set(WAITS, observer);
}
