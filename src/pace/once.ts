import type { Claim, Outcome, Permit } from './Limiter.js';

/** What a limiter does at the two ends of a permit. */
export interface PermitEnds {
  /** Learns from how the request ended. */
  readonly settle?: (outcome: Outcome) => Claim | undefined;
  /** Gives back what is held until the end. */
  readonly release?: () => void;
}

/** A permit whose two ends happen once each: one that is released unsettled settles as `'unknown'` first. */
export function once(ends: PermitEnds): Permit {
  let settled = false;
  let released = false;
  const settle = (outcome: Outcome): Claim | undefined => {
    if (settled) return undefined;
    settled = true;
    return ends.settle?.(outcome);
  };
  return {
    settle,
    release: () => {
      if (released) return;
      released = true;
      settle('unknown');
      ends.release?.();
    },
  };
}
