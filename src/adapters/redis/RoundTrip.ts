/** Permits are void so many ms, and a round trip, before their window ends: announced times are rounded to seconds. */
const MARGIN = 1000;
/** Without an answer for this long, in ms, or four round trips, an opening request is given company. */
const PROBE_TIMEOUT = 1000;

/** The shortest time from sending to the answer, and what follows from it. All in ms. */
export class RoundTrip {
  #shortest = Infinity;

  /** A request was answered after so long. */
  took(ms: number): void {
    this.#shortest = Math.min(this.#shortest, ms);
  }

  /** How long before the end of its window a permit is void: at most half a window, so that short ones are usable at all. */
  margin(window = Infinity): number {
    return Math.min(this.#known + MARGIN, window / 2);
  }

  /** How long an opening request may stay unanswered before it gets company. */
  get probeTimeout(): number {
    return Math.max(PROBE_TIMEOUT, 4 * this.#known);
  }

  get #known(): number {
    return this.#shortest < Infinity ? this.#shortest : 0;
  }
}
