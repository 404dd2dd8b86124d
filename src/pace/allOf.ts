import { merge } from 'rxjs';
import type { Estimate, Hold, Limiter } from './Limiter.js';
import { makePermit } from './makePermit.js';
import { queued } from './queue/LimiterQueue.js';
import { requireLimiter } from './queue/checkAsk.js';

/**
 * Joins limiters: an ask goes when all of them let it, and nothing is held while it waits for the rest. Rate, token cost and requests in
 * flight are separate limiters, joined by `allOf`.
 *
 * The wait is the longest of theirs. Everything is taken in the one moment in which all are ready, so a breaker's probe is taken last. A
 * 429 that a gate among them has taken is no failure to the others.
 *
 * @example
 * const limiter = allOf(tokenBucket({ rate: 5 }), concurrency(10), pacer());
 */
export function allOf(...limiters: readonly Limiter[]): Limiter {
  for (const limiter of limiters) requireLimiter('allOf', limiter);
  const gates = limiters.filter(({ isGate }) => isGate);
  const others = limiters.filter(({ isGate }) => !isGate);
  return queued({
    isGate: gates.length > 0,
    check: (ask, waiting) => limiters.reduce((longest, limiter) => Math.max(longest, limiter.check(ask, waiting)), 0),
    take: (ask) => {
      const atGates = gates.map((limiter) => limiter.take(ask));
      const permits = others.map((limiter) => limiter.take(ask));
      return makePermit({
        settle: (outcome) => {
          const holds = atGates.flatMap((permit) => permit.settle(outcome) ?? []);
          const told = holds.length > 0 && outcome !== 'unknown' ? { ...outcome, held: true } : outcome;
          return joined([...holds, ...permits.flatMap((permit) => permit.settle(told) ?? [])]);
        },
        release: () => {
          for (const permit of [...atGates, ...permits]) permit.release();
        },
      });
    },
    changed$: merge(...limiters.map((limiter) => limiter.changed$)),
    delayed$: merge(...limiters.flatMap((limiter) => limiter.delayed$ ?? [])),
    line: (ask) => limiters.map((limiter) => limiter.line?.(ask) ?? '').join('\n'),
    lane: (ask) => limiters.map((limiter) => limiter.lane?.(ask) ?? '').join('\n'),
    yields: (ask) => limiters.some((limiter) => limiter.yields?.(ask)),
    estimate: (ask, ahead) => {
      const estimates = limiters.flatMap((limiter) => limiter.estimate?.(ask, ahead) ?? []);
      const longest = estimates.reduce<Estimate | undefined>((most, one) => (!most || weight(one) > weight(most) ? one : most), undefined);
      const surest = estimates.reduce<Estimate | undefined>((most, one) => ((one.least ?? 0) > (most?.least ?? 0) ? one : most), longest);
      return longest && { ...longest, least: surest?.least, because: surest?.because, cause: surest?.cause ?? longest.cause };
    },
  });
}

/** Rank of an estimate: a known length goes before an unknown one, and an unknown one before no wait at all. */
function weight({ delay }: Estimate): number {
  return delay === Infinity ? Number.MIN_VALUE : delay;
}

/** One hold made of several: the latest; it does not count as a retry if any of them does not. */
function joined(holds: readonly Hold[]): Hold | undefined {
  const [first, ...rest] = holds;
  if (!first) return undefined;
  const latest = rest.reduce((later, hold) => (hold.refusal.until > later.refusal.until ? hold : later), first);
  return {
    refusal: latest.refusal,
    counted: holds.every(({ counted }) => counted),
    withdraw: () => {
      for (const hold of holds) hold.withdraw();
    },
  };
}
