import { defer, Observable, tap } from 'rxjs';
import type { AcquireOptions } from './acquire.js';
import { queueOf } from './queue/AskQueue.js';
import type { Ask, Limiter, Permit } from './Limiter.js';
import { requireAsk } from './requireAsk.js';

/** How work waits for its permit. */
export interface HoldOptions extends AcquireOptions {
  /** What the work fails with where its ask is refused with an error; that error by default. */
  readonly refusal?: (error: unknown) => unknown;
}

/** What `work` gives under a permit of `limiter`; the permit is released when `work` ends or is unsubscribed, after it. */
export function whileHeld<T>(limiter: Limiter, ask: Ask, options: HoldOptions, work: (permit: Permit) => Observable<T>): Observable<T> {
  const { maxQueued, onWait: waits, refusal = (error: unknown) => error } = options;
  return new Observable((subscriber) => {
    requireAsk(ask);
    const granted = (permit: Permit): void => {
      const release = (): void => permit.release();
      // Released before the end is seen: whoever sees it may ask for the next permit.
      const work$ = defer(() => work(permit)).pipe(tap({ error: release, complete: release }));
      if (!subscriber.closed) work$.subscribe(subscriber);
      // Torn down after the work: what a permit held back must not begin before that has stopped.
      subscriber.add(release);
    };
    const refused = (error: unknown): void => subscriber.error(refusal(error));
    return queueOf(limiter).enter({ ask, granted, refused, waits }, maxQueued);
  });
}
