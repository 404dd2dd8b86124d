import type { WaitEstimate } from './queue/Waiter.js';

/** Options of an ask that waits. */
export interface AcquireOptions {
  /** Most asks that may wait in its line already, beyond which it fails with a `LimiterError`; no bound by default. */
  readonly maxQueued?: number | undefined;
  /** Hears that the ask has to wait, how long and behind how many; again whenever the wait has become longer. */
  readonly onWait?: ((estimate: WaitEstimate) => void) | undefined;
}
