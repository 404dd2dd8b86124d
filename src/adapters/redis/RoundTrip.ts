import { probeTimeout } from '../../pace/probeTimeout.js';

/**
 * Milliseconds, beside a round trip, before the end of their window from which on permits are void: announced times are rounded to seconds.
 */
const MARGIN = 1000;

/** The shortest time from sending to the response, and the times derived from it. All in ms. */
export class RoundTrip {
  #shortest = Infinity;

  /** Notes the time that a request took to be answered. */
  took(ms: number): void {
    this.#shortest = Math.min(this.#shortest, ms);
  }

  /**
   * Safety margin before the end of its window from which on a permit is void: at most half a window, so that short ones are usable at all.
   */
  margin(window = Infinity): number {
    return Math.min(this.#known + MARGIN, window / 2);
  }

  /** Time for which an opening request may stay unanswered before it gets company. */
  get probeTimeout(): number {
    return probeTimeout(this.#shortest);
  }

  get #known(): number {
    return this.#shortest < Infinity ? this.#shortest : 0;
  }
}
