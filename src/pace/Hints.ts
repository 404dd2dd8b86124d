/** First and longest wait, in ms, after a 429 that does not say how long. */
const BACKOFF = { first: 1000, longest: 60_000 };

/**
 * Believes what 429s ask for. A hint that is missing, or zero for the second time in a row, is replaced by a backoff of 1 s x 2^k with
 * jitter, at most 60 s; once for all that were in flight together.
 */
export class Hints {
  readonly #random: () => number;
  #missing = 0;
  #lastWasZero = false;

  /** @param random draws from 0 up to 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * How long to wait after a 429, in ms.
   *
   * @param asked how long it asks to wait, if it does
   * @param closedFor how long everybody waits already, by an earlier one
   */
  believe(asked: number | undefined, closedFor: number): number {
    const credible = asked !== undefined && !(asked === 0 && this.#lastWasZero);
    this.#lastWasZero = asked === 0;
    if (credible) {
      this.#missing = 0;
      return asked;
    }
    if (closedFor > 0) return closedFor;
    return Math.min(BACKOFF.first * 2 ** this.#missing++, BACKOFF.longest) * (0.5 + this.#random() / 2);
  }

  /** A request was let pass. */
  passed(): void {
    this.#missing = 0;
    this.#lastWasZero = false;
  }
}
