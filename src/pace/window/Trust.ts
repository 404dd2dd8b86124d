import { ROUNDING } from './WindowClock.js';

/**
 * Whether `remaining` can be believed. It has lied if a 429 says that requests are left, or if a request is let pass though nothing was left;
 * until a 429 says 0.
 */
export class Trust {
  #lied = false;
  #spentSince = Infinity;
  #spentUntil = 0;

  get holds(): boolean {
    return !this.#lied;
  }

  /** A 429. */
  rejected(remaining: number | undefined): void {
    if (remaining !== undefined) this.#lied = remaining > 0;
  }

  /**
   * A request that was let pass.
   *
   * @param reset ms until the window ends, by the answer
   * @returns whether it proves that more was left than an earlier answer had said
   */
  passed(sent: number, now: number, remaining: number | undefined, reset = 0): boolean {
    if (remaining === undefined || this.#lied) return false;
    const spent = now < this.#spentUntil;
    // A window has one last request.
    if (spent) return (this.#lied = remaining === 0 || sent >= this.#spentSince);
    if (remaining === 0) {
      this.#spentSince = now;
      this.#spentUntil = sent + reset - ROUNDING;
    }
    return false;
  }
}
