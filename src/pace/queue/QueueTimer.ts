import type { Subscription } from 'rxjs';
import { waitUntil } from '../../time.js';

/**
 * One timer for all who wait: it rings at the earliest moment that it was set to. Ringing too early is harmless: the queue finds nothing to
 * grant, and sets the next moment.
 */
export class QueueTimer {
  readonly #ring: () => void;
  #at = Infinity;
  #timer: Subscription | undefined;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** @param at a moment of the `elapsed()` clock, `Infinity`: never */
  set(at: number): void {
    if (at >= this.#at) return;
    this.stop();
    this.#at = at;
    this.#timer = waitUntil(at).subscribe(() => {
      this.#at = Infinity;
      this.#ring();
    });
  }

  stop(): void {
    this.#timer?.unsubscribe();
    this.#at = Infinity;
  }
}
