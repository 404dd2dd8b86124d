/** First and longest wait, in ms, after a 429 that does not say how long. */
const BACKOFF = { first: 1000, longest: 60_000 };

/** Believes what 429s ask for; a hint that is missing, or zero for the second time in a row, is replaced by 1 s x 2^k with jitter, up to 60 s. */
export class Hints {
  readonly #random: () => number;
  #missing = 0;
  #lastWasZero = false;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** How long to wait after a 429, in ms. */
  believe(hint: number | undefined): number {
    const credible = hint !== undefined && !(hint === 0 && this.#lastWasZero);
    this.#lastWasZero = hint === 0;
    if (credible) return hint;
    return Math.min(BACKOFF.first * 2 ** this.#missing++, BACKOFF.longest) * (0.5 + this.#random() / 2);
  }

  /** A request was let pass. */
  passed(): void {
    this.#missing = 0;
    this.#lastWasZero = false;
  }
}
