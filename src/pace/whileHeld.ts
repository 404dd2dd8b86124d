import { defer, Observable, tap } from 'rxjs';
import type { AcquireOptions } from './AcquireOptions.js';
import type { Ask, Limiter, Permit } from './Limiter.js';
import { queueOf } from './queue/LimiterQueue.js';
import { requireAsk } from './requireAsk.js';

/** Output of `work` under a permit of `limiter`; the permit is released when `work` ends or is unsubscribed, after it. */
export function whileHeld<T>(
  limiter: Limiter,
  ask: Ask,
  { maxQueued, onWait: estimated }: AcquireOptions,
  work: (permit: Permit) => Observable<T>,
): Observable<T> {
  return new Observable((subscriber) => {
    requireAsk(ask);
    const granted = (permit: Permit): void => {
      const release = (): void => permit.release();
      // Released before the end is seen: its observer may ask for the next permit.
      const work$ = defer(() => work(permit)).pipe(tap({ error: release, complete: release }));
      if (!subscriber.closed) work$.subscribe(subscriber);
      // Torn down after the work: what a permit held back must not begin before that has stopped.
      subscriber.add(release);
    };
    return queueOf(limiter).enter({ ask, granted, refused: (error) => subscriber.error(error), estimated }, maxQueued);
  });
}
