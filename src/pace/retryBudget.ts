import { Subject } from 'rxjs';
import { checkKeys } from '../request/checkKeys.js';
import { UsageError } from '../request/errors/UsageError.js';
import { elapsed } from '../time.js';
import type { Limiter } from './Limiter.js';
import { once } from './once.js';
import { queued } from './queue/LimiterQueue.js';

/** How many retries there may be. */
export interface RetryBudgetOptions {
  /** Retries for each request that is sent for the first time; 0.2 by default. */
  readonly share?: number | undefined;
  /** Retries a second that are always allowed, above 0: an empty budget delays, it never ends; 0.5 by default. */
  readonly perSecond?: number | undefined;
  /** Most retries that can be saved up; 10 by default, with which it starts. */
  readonly saved?: number | undefined;
}

/**
 * Lets retries be at most a share of requests, so that an outage is not multiplied by them: each first request earns a part of a retry, a
 * trickle comes by itself, and a retry without budget waits.
 *
 * First requests pass at once. So do repeats after a 429 that carried a quota hint (an ask that is no `retry`): the gate owns those.
 */
export function retryBudget(options: RetryBudgetOptions = {}): Limiter {
  checkKeys(() => 'retryBudget', options, ['share', 'perSecond', 'saved']);
  const { share = 0.2, perSecond = 0.5, saved = 10 } = options;
  if (!(share >= 0)) throw new UsageError(`retryBudget: share is ${share}; pass 0 or more`);
  if (!(perSecond > 0 && perSecond < Infinity)) throw new UsageError(`retryBudget: perSecond is ${perSecond}; pass a number above 0`);
  if (!(saved >= 1)) throw new UsageError(`retryBudget: saved is ${saved}; pass 1 or more`);

  const changed$ = new Subject<void>();
  let budget = saved;
  let counted = elapsed();

  function earn(retries: number): void {
    const now = elapsed();
    budget = Math.min(saved, budget + ((now - counted) * perSecond) / 1000 + retries);
    counted = now;
  }

  function untilNext(): number {
    earn(0);
    // A millionth short is rounding.
    return budget > 1 - 1e-6 ? 0 : ((1 - budget) * 1000) / perSecond;
  }

  return queued({
    changed$: changed$.asObservable(),
    line: ({ retry = false }) => (retry ? 'retries' : 'first'),
    check: ({ retry = false }) => (retry ? untilNext() : 0),
    estimate: ({ retry = false }) => (retry ? { source: 'budget', delay: untilNext() } : undefined),
    take: ({ retry = false }) => {
      earn(retry ? -1 : share);
      if (!retry) changed$.next();
      return once({});
    },
  });
}
