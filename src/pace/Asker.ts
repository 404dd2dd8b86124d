import type { Ask, Outlook, Permit } from './Limiter.js';

/** What an ask that has to wait is told. */
export interface Waiting extends Outlook {
  /** How many asks of its line go before it. */
  readonly position: number;
}

/** Who asks, and hears of what becomes of it. */
export interface Asker {
  readonly ask: Ask;
  /** It may go; the permit is its own from now on. */
  granted(permit: Permit): void;
  /** It will not be granted. */
  refused(error: unknown): void;
  /** It has to wait; again whenever the wait has become longer. */
  waits?: ((waiting: Waiting) => void) | undefined;
}
