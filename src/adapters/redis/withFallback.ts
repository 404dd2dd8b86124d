import { concat, defer, from, Observable, type ObservableInput } from 'rxjs';
import { elapsed, wait } from '../../time.js';

/** Silence of Redis, in ms, after which it counts as away by default. */
export const SILENCE = 50;

/** Continuations of a call to Redis. */
export interface Fallback<T, R> {
  /** Silence, in ms, after which Redis counts as away. */
  readonly silence: number;
  /** Takes the reply. */
  readonly replied: (reply: T) => R;
  /** Goes on without Redis, which failed with the error, or was silent where there is none. */
  readonly away: (error: unknown) => ObservableInput<R>;
  /** Takes a reply that comes after the silence, or after the unsubscribing. */
  readonly late?: (reply: T) => void;
}

/**
 * The reply to a call of Redis or, where it fails or is silent, the fallback. The call is never cancelled, since Redis may have executed
 * it.
 */
export function withFallback<T, R>(reply$: Observable<T>, { silence, replied, away, late }: Fallback<T, R>): Observable<R> {
  return new Observable((subscriber) => {
    const fallBack = (error: unknown): void => {
      waiting.unsubscribe();
      subscriber.add(from(away(error)).subscribe(subscriber));
    };
    const waiting = silenceOf(silence).subscribe({ complete: () => fallBack(undefined) });
    reply$.subscribe({
      next: (reply) => {
        if (waiting.closed) {
          late?.(reply);
          return;
        }
        waiting.unsubscribe();
        subscriber.next(replied(reply));
        subscriber.complete();
      },
      error: (error: unknown) => {
        if (!waiting.closed) fallBack(error);
      },
    });
    return waiting;
  });
}

/**
 * Completes after a silence of `ms`. The silence of a Redis to which a busy process could not listen proves nothing, so this listens for as
 * long again as its timer was late, at most `ms`, and in any case for one turn of the event loop.
 */
export function silenceOf(ms: number): Observable<void> {
  return defer(() => {
    const due = elapsed() + ms;
    return concat(
      wait(ms),
      defer(() => wait(Math.min(elapsed() - due, ms))),
    );
  });
}
