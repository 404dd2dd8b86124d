import { Subject } from 'rxjs';
import { requireThat } from '../request/checkOptions.js';
import type { Limiter } from './Limiter.js';
import { makePermit } from './makePermit.js';
import { queued } from './queue/LimiterQueue.js';

/**
 * Limits the requests in flight to `max`: a permit ends at the body's end, its cancelling, an error or unsubscribing.
 *
 * @param max a whole number, 1 or more; `Infinity`: no bound
 */
export function concurrency(max: number): Limiter {
  requireThat(max >= 1 && (Number.isInteger(max) || max === Infinity), 'concurrency', 'max', max, 'a whole number, 1 or more');
  const changed$ = new Subject<void>();
  let inFlight = 0;
  return queued({
    changed$: changed$.asObservable(),
    check: () => (inFlight < max ? 0 : Infinity),
    estimate: () => (inFlight < max ? undefined : { source: 'slots', delay: Infinity }),
    take: () => {
      inFlight++;
      return makePermit({
        release: () => {
          inFlight--;
          changed$.next();
        },
      });
    },
  });
}
