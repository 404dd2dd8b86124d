import type { Ask, Estimate, Permit } from '../Limiter.js';

/** Estimate of a wait, and the place in the line. */
export interface WaitEstimate extends Estimate {
  /** Number of asks in its line that go first. */
  readonly position: number;
}

/** Asks for a permit, and hears the answer. */
export interface Waiter {
  readonly ask: Ask;
  /** Takes over the permit. */
  granted(permit: Permit): void;
  /** Hears the error that the ask fails with. */
  refused(error: unknown): void;
  /** Hears that the ask has to wait; again whenever the wait has become longer. */
  estimated?: ((estimate: WaitEstimate) => void) | undefined;
}

/** Options of an ask that waits. */
export interface AcquireOptions {
  /** Most asks that may wait in its line already, beyond which it fails with a `LimiterError`; no bound by default. */
  readonly maxQueued?: number | undefined;
  /** Hears that the ask has to wait, how long and behind how many; again whenever the wait has become longer. */
  readonly onWait?: ((estimate: WaitEstimate) => void) | undefined;
}
