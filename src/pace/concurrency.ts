import { Subject } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';
import type { Limiter } from './Limiter.js';
import { once } from './once.js';

/**
 * At most `max` requests in flight: a permit ends at the body's end, its cancelling, an error or unsubscribing.
 *
 * @param max 1 or more
 */
export function concurrency(max: number): Limiter {
  if (!(max >= 1)) throw new UsageError(`concurrency: max is ${max}; pass 1 or more`);
  const changed$ = new Subject<void>();
  let inFlight = 0;
  return {
    changed$: changed$.asObservable(),
    check: () => (inFlight < max ? 0 : Infinity),
    take: () => {
      inFlight++;
      return once({
        release: () => {
          inFlight--;
          changed$.next();
        },
      });
    },
  };
}
