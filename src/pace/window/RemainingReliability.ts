import { ROUNDING } from './WindowClock.js';

/**
 * Reliability of `remaining`. The field is refuted by a 429 that says that requests are left, and by a request that passes although none was left;
 * a 429 that says 0 restores it.
 */
export class RemainingReliability {
  #refuted = false;
  #spentSince = Infinity;
  #spentUntil = 0;

  get holds(): boolean {
    return !this.#refuted;
  }

  /** Learns from a 429. */
  rejected(remaining: number | undefined): void {
    if (remaining !== undefined) this.#refuted = remaining > 0;
  }

  /**
   * Learns from a request that passed.
   *
   * @param reset ms until the window ends, by the answer
   * @returns whether it proves that more was left than an earlier answer had said
   */
  passed(sent: number, now: number, remaining: number | undefined, reset = 0): boolean {
    if (remaining === undefined || this.#refuted) return false;
    const spent = now < this.#spentUntil;
    // Only one request of a window can be its last: a second answer with nothing left refutes the first.
    if (spent) return (this.#refuted = remaining === 0 || sent >= this.#spentSince);
    if (remaining === 0) {
      this.#spentSince = now;
      this.#spentUntil = sent + reset - ROUNDING;
    }
    return false;
  }
}
