import { Subject, Subscription } from 'rxjs';
import { isFunction, requireThat } from '../request/checkOptions.js';
import { destinationOf } from './keys.js';
import type { Ask, Limiter } from './Limiter.js';
import { MAX_ORIGINS, RecentMap } from './RecentMap.js';
import { requireLimiter } from './queue/checkAsk.js';
import { queued } from './queue/LimiterQueue.js';

interface Own {
  readonly limiter: Limiter;
  readonly listening: Subscription;
}

/**
 * A limiter of its own for every origin that is asked for; origins do not hold each other up.
 *
 * The 256 most recently used origins are kept; permits of a dropped one stay valid, its limits start anew.
 *
 * @param make makes the limiter of an origin
 *
 * @example
 * const limiter = perOrigin(() => concurrency(6));
 */
export function perOrigin(make: (origin: string) => Limiter): Limiter {
  requireThat(isFunction(make), 'perOrigin', 'make', make, 'a function that makes a limiter, () => concurrency(4) say');
  const changed$ = new Subject<void>();
  const delayed$ = new Subject<void>();
  const origins = new RecentMap<Own>(MAX_ORIGINS, ({ listening }) => listening.unsubscribe());

  function limiterFor(ask: Ask): Limiter {
    const origin = destinationOf(ask);
    return origins.get(origin)?.limiter ?? origins.use(origin, begin(origin)).limiter;
  }

  function begin(origin: string): Own {
    const limiter = make(origin);
    requireLimiter('perOrigin', limiter);
    const listening = new Subscription();
    listening.add(limiter.changed$.subscribe(() => changed$.next()));
    listening.add(limiter.delayed$?.subscribe(() => delayed$.next()));
    return { limiter, listening };
  }

  return queued({
    // The limiter of an origin may be a gate, so this one counts as one: `allOf` settles gates first.
    isGate: true,
    changed$: changed$.asObservable(),
    delayed$: delayed$.asObservable(),
    check: (ask, waiting) => limiterFor(ask).check(ask, waiting),
    take: (ask) => {
      const origin = destinationOf(ask);
      const { limiter } = origins.use(origin, origins.get(origin) ?? begin(origin));
      return limiter.take(ask);
    },
    line: (ask) => `${destinationOf(ask)} ${limiterFor(ask).line?.(ask) ?? ''}`,
    lane: (ask) => limiterFor(ask).lane?.(ask) ?? '',
    yields: (ask) => limiterFor(ask).yields?.(ask) ?? false,
    estimate: (ask, ahead) => limiterFor(ask).estimate?.(ask, ahead),
  });
}
