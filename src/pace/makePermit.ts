import type { Hold, Outcome, Permit } from './Limiter.js';

/** A limiter's reactions to the two ends of a permit. */
export interface PermitEnds {
  /** Learns from the outcome of the request. */
  readonly settle?: (outcome: Outcome) => Hold | undefined;
  /** Gives back a slot that was held until the end. */
  readonly release?: () => void;
}

/** A permit whose two ends happen once each: one that is released unsettled settles as `'unknown'` first. */
export function makePermit(ends: PermitEnds): Permit {
  let settled = false;
  let released = false;
  const settle = (outcome: Outcome): Hold | undefined => {
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
