import { Subject } from 'rxjs';
import { checkOptions, FROM_1, isPositive, NOT_NEGATIVE, type OptionTable } from '../request/checkOptions.js';
import { elapsed } from '../time.js';
import type { Limiter } from './Limiter.js';
import { makePermit } from './makePermit.js';
import { queued } from './queue/LimiterQueue.js';

/** Options under their names in Finagle and gRPC. */
const ELSEWHERE = {
  percentCanRetry: 'ratio',
  tokenRatio: 'ratio',
  share: 'ratio',
  minRetriesPerSec: 'minRetriesPerSecond',
  maxTokens: 'burst',
};

/** Size of a retry budget. */
export interface RetryBudgetOptions {
  /** Retries for each request that is sent for the first time; 0.2 by default. */
  readonly ratio?: number | undefined;
  /** Retries a second that are always allowed, above 0: an empty budget delays, it never ends; 0.5 by default. */
  readonly minRetriesPerSecond?: number | undefined;
  /** Most retries that can be saved up, which is also the budget at the start; 10 by default. */
  readonly burst?: number | undefined;
}

const OPTIONS: OptionTable<RetryBudgetOptions> = {
  rules: {
    ratio: NOT_NEGATIVE,
    minRetriesPerSecond: [(value) => isPositive(value) && value < Infinity, 'a number above 0'],
    burst: FROM_1,
  },
  elsewhere: ELSEWHERE,
};

/**
 * Limits retries to a share of the requests, so that they do not multiply an outage: each first request earns a part of a retry, a small
 * rate is always allowed, and a retry without budget waits.
 *
 * First requests pass at once. So do repeats after a 429 that carried a quota hint (an ask that is no `retry`): the gate owns those.
 */
export function retryBudget(options: RetryBudgetOptions = {}): Limiter {
  checkOptions('retryBudget', options, OPTIONS);
  const { ratio = 0.2, minRetriesPerSecond = 0.5, burst = 10 } = options;

  const changed$ = new Subject<void>();
  let budget = burst;
  let counted = elapsed();

  function earn(retries: number): void {
    const now = elapsed();
    budget = Math.min(burst, budget + ((now - counted) * minRetriesPerSecond) / 1000 + retries);
    counted = now;
  }

  function untilNext(): number {
    earn(0);
    // A shortfall of a millionth is rounding.
    return budget > 1 - 1e-6 ? 0 : ((1 - budget) * 1000) / minRetriesPerSecond;
  }

  return queued({
    changed$: changed$.asObservable(),
    line: ({ retry = false }) => (retry ? 'retries' : 'first'),
    check: ({ retry = false }) => (retry ? untilNext() : 0),
    estimate: ({ retry = false }) => (retry ? { source: 'budget', delay: untilNext() } : undefined),
    take: ({ retry = false }) => {
      earn(retry ? -1 : ratio);
      if (!retry) changed$.next();
      return makePermit({});
    },
  });
}
