import { ROUNDING } from './WindowClock.js';

/**
 * Reliability of `remaining`. The field is refuted by a 429 that announces requests left, and by a request that passes although none was
 * left; a 429 that announces 0 restores it.
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
   * @param reset ms until the window ends, by the response
   * @returns true if it proves that more was left than an earlier response had announced
   */
  passed(sent: number, now: number, remaining: number | undefined, reset = 0): boolean {
    if (remaining === undefined || this.#refuted) return false;
    const spent = now < this.#spentUntil;
    // A window has one last request: a second response with nothing left refutes the first.
    if (spent) return (this.#refuted = remaining === 0 || sent >= this.#spentSince);
    if (remaining === 0) {
      this.#spentSince = now;
      this.#spentUntil = sent + reset - ROUNDING;
    }
    return false;
  }
}
