import type { Ask, Estimate, Permit } from '../Limiter.js';

/** Estimate of a wait, and the place in the line. */
export interface WaitEstimate extends Estimate {
  /** Number of asks in the line that go first. */
  readonly position: number;
}

/** Request for a permit, with the callbacks that receive the result. */
export interface Waiter {
  readonly ask: Ask;
  /** Takes over the permit. */
  granted(permit: Permit): void;
  /** Receives the error that the ask fails with. */
  refused(error: unknown): void;
  /** Called when the ask has to wait; again whenever the wait has become longer. */
  estimated?: ((estimate: WaitEstimate) => void) | undefined;
}

/** Options of an ask that waits. */
export interface AcquireOptions {
  /** Most asks that may wait in the line already, beyond which this one fails with a `LimiterError`; no bound by default. */
  readonly maxQueued?: number | undefined;
  /** Called when the ask has to wait, with the expected time and the number of asks ahead; again whenever the wait has become longer. */
  readonly onWait?: ((estimate: WaitEstimate) => void) | undefined;
}
