import { Subject } from 'rxjs';
import { checkOptions, isPositive, type OptionRule, type OptionTable } from '../request/checkOptions.js';
import { LimiterError } from '../request/errors/LimiterError.js';
import { elapsed } from '../time.js';
import type { Limiter } from './Limiter.js';
import { makePermit } from './makePermit.js';
import { queued } from './queue/LimiterQueue.js';

/** Rate and size of a token bucket. */
export interface TokenBucketOptions {
  /** Tokens that are added in every `per`. */
  readonly rate: number;
  /** Time in ms for `rate` tokens; 1000 by default. */
  readonly per?: number | undefined;
  /** Most tokens that the bucket holds, which can go at once; 1 by default. It starts full. */
  readonly burst?: number | undefined;
}

const FINITE: OptionRule = [(value) => isPositive(value) && value < Infinity, 'a number above 0'];

const OPTIONS: OptionTable<TokenBucketOptions> = {
  rules: { rate: FINITE, per: FINITE, burst: FINITE },
  required: ['rate'],
  elsewhere: { interval: 'per', window: 'per', limit: 'rate', capacity: 'burst' },
};

/** A nanosecond, in ms: the most that rounding may make of a time. */
const EPSILON = 1e-6;

/**
 * Lets asks go at a steady rate, after a burst. Each takes its `cost` (1 by default), in requests or in another unit: if the response names
 * its actual cost, the difference is corrected, and the bucket may owe tokens.
 *
 * Against a server that allows `limit` requests in any `window`, choose `burst + rate x window / per <= limit`: a bucket that gives its
 * burst at the end of a window and refills at the start of the next would otherwise get a 429.
 *
 *     tokenBucket({ rate: 1, per: 2, burst: 2 })    (aa)-a-a-a
 *
 * An ask for more than `burst` fails with a `LimiterError`.
 *
 * @example
 * tokenBucket({ burst: 20, rate: 80, per: 60_000 }); // at most 100 in any minute
 */
export function tokenBucket(options: TokenBucketOptions): Limiter {
  checkOptions('tokenBucket', options, OPTIONS);
  const { rate, per = 1000, burst = 1 } = options;
  const changed$ = new Subject<void>();
  const perToken = per / rate;
  // The moment at which the bucket will be full. One number, so that nothing is lost by adding up small fractions.
  let full = -Infinity;

  const untilThereAre = (tokens: number, now: number): number => {
    const delay = Math.max(full, now) + (tokens - burst) * perToken - now;
    return delay > EPSILON ? delay : 0;
  };

  const spend = (tokens: number): void => {
    full = Math.max(full, elapsed()) + tokens * perToken;
  };

  const correct = (more: number): void => {
    if (more > 0) spend(more);
    else full += more * perToken;
    if (more < 0) changed$.next();
  };

  return queued({
    changed$: changed$.asObservable(),
    check: ({ cost = 1 }) => {
      if (cost > burst) {
        throw new LimiterError(`A request that costs ${cost} never fits in a tokenBucket with a burst of ${burst}; raise the burst`, {
          reason: 'never',
        });
      }
      return untilThereAre(cost, elapsed());
    },
    estimate: ({ cost = 1 }, ahead) => {
      const now = elapsed();
      return { source: 'bucket', delay: untilThereAre((ahead + 1) * cost, now), least: untilThereAre(cost, now) };
    },
    take: ({ cost = 1 }) => {
      spend(cost);
      return makePermit({
        settle: (outcome) => {
          const actual = outcome === 'unknown' ? undefined : outcome.cost;
          // A cost that is not a number of tokens is ignored.
          if (actual !== undefined && actual >= 0 && actual < Infinity) correct(actual - cost);
          return undefined;
        },
      });
    },
  });
}
