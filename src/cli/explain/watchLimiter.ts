import type { Estimate, Hold, Limiter } from '../../pace/Limiter.js';

/** A limiter's results for the request that it saw last. */
export interface LimiterWords {
  /** Hold of the limiter on the next attempt, if there is one. */
  readonly hold?: Hold | undefined;
  /** The limiter's estimate of the wait. */
  readonly estimate?: Estimate | undefined;
}

/** A limiter that behaves as before, and shows its holds and estimates: the explanation is of the real run. */
export interface WatchedLimiter {
  readonly limiter: Limiter;
  readonly words: () => LimiterWords;
}

/** Wraps the methods of a limiter for one request at a time. */
export function watchLimiter(limiter: Limiter): WatchedLimiter {
  let words: LimiterWords = {};
  return {
    limiter: {
      ...limiter,
      estimate: (ask, ahead) => {
        const estimate = limiter.estimate?.(ask, ahead);
        words = { ...words, estimate };
        return estimate;
      },
      take: (ask) => {
        const permit = limiter.take(ask);
        return {
          settle: (outcome) => {
            const hold = permit.settle(outcome);
            words = { hold };
            return hold;
          },
          release: () => permit.release(),
        };
      },
    },
    words: () => words,
  };
}
