import { merge } from 'rxjs';
import { once } from './once.js';
import { requireLimiter } from './requireLimiter.js';
import type { Limiter, Outlook } from './Limiter.js';

/**
 * Joins limiters: an ask goes when all of them let it, and nothing is held while it waits for the rest. Rate, token cost and requests in
 * flight are limiters of their own, joined by this.
 *
 * The wait is the longest of theirs. What may only be taken last (a breaker's probe) is: everything is taken in the one moment in which all
 * are ready.
 *
 * @example
 * const limiter = allOf(tokenBucket({ rate: 5 }), concurrency(10), pacer());
 */
export function allOf(...limiters: readonly Limiter[]): Limiter {
  for (const limiter of limiters) requireLimiter('allOf', limiter);
  return {
    check: (ask, waiting) => limiters.reduce((longest, limiter) => Math.max(longest, limiter.check(ask, waiting)), 0),
    take: (ask) => {
      const permits = limiters.map((limiter) => limiter.take(ask));
      return once({
        settle: (outcome) => {
          const claims = permits.map((permit) => permit.settle(outcome));
          return claims.find((claim) => claim === 'opening') ?? claims.find((claim) => claim !== undefined);
        },
        release: () => permits.forEach((permit) => permit.release()),
      });
    },
    changed$: merge(...limiters.map((limiter) => limiter.changed$)),
    delayed$: merge(...limiters.flatMap((limiter) => limiter.delayed$ ?? [])),
    line: (ask) => limiters.map((limiter) => limiter.line?.(ask) ?? '').join('\n'),
    outlook: (ask, ahead) => {
      const outlooks = limiters.flatMap((limiter) => limiter.outlook?.(ask, ahead) ?? []);
      const refused = outlooks.find(({ refusal }) => refusal !== undefined);
      return refused ?? outlooks.reduce<Outlook | undefined>((most, one) => (!most || says(one) > says(most) ? one : most), undefined);
    },
  };
}

/** What a wait of a known length says is more than that nobody knows, which is more than that there is none. */
function says({ delay }: Outlook): number {
  return delay === Infinity ? Number.MIN_VALUE : delay;
}
