/** Rounding of announced times, up to whole seconds, in ms. */
export const ROUNDING = 1000;

/**
 * Clock of a window: its opening and its end, from the times that responses announce; and whether it is a window at all. With a sliding
 * window or a token bucket quota trickles back.
 *
 *     ... used up |   at most 1 s of rounding   |  slot 1: probe  |gap|  slot 2: share  |gap| reclaim ...       |
 *                          ^ opened             ^ opens                                                         ^ ends
 */
export class WindowClock {
  #opened = 0;
  #opens = 0;
  #endsFrom = 0;
  #ends = 0;
  #trickles = false;
  #spread = 0;

  /**
   * Estimated opening of the window: the middle of the time in which the one before must have ended, as far as rounding leaves it open. All
   * clients count the slots from about this moment.
   */
  get opened(): number {
    return this.#opened;
  }

  /** Moment at which the window has opened for certain. */
  get opens(): number {
    return this.#opens;
  }

  /** Moment at which the window has ended for certain. */
  get ends(): number {
    return this.#ends;
  }

  /** True if quota trickles back. */
  get trickles(): boolean {
    return this.#trickles;
  }

  /** Time over which single requests are spread where quota trickles back, in ms. */
  get spread(): number {
    return this.#spread;
  }

  isOver(now: number): boolean {
    return this.#ends > 0 && now >= this.#ends;
  }

  /** Closes a used-up window: from now on the next one counts. */
  close(): void {
    this.#opens = this.#ends;
    this.#opened = this.#ends - Math.min(ROUNDING, Math.max(0, this.#ends - this.#endsFrom)) / 2;
  }

  /** Distinguishes a fixed window, which has just begun, from quota that trickles back: by the wait announced right after an opening. */
  classify(reset: number, length: number, slot: number): void {
    const trickles = reset < length / 2;
    if (trickles !== this.#trickles) this.#spread = slot;
    if (trickles) this.#trickles = true;
  }

  /**
   * Narrows down the end of the window. The server was asked after `sent` and had answered at `now`, and it rounds up.
   *
   * @returns true if a new window has begun
   */
  announced(sent: number, now: number, reset: number): boolean {
    const begun = now >= this.#ends;
    const afresh = begun || this.#trickles;
    this.#ends = afresh ? now + reset : Math.min(this.#ends, now + reset);
    this.#endsFrom = afresh ? sent + reset - ROUNDING : Math.max(this.#endsFrom, sent + reset - ROUNDING);
    return begun;
  }

  /** Brings single requests closer to each other: they found quota. */
  narrow(slot: number): void {
    this.#spread = Math.max(slot, 0.9 * this.#spread);
  }

  /** Spreads single requests further: one found none. */
  widen(length: number): void {
    this.#spread = Math.min(2 * this.#spread, length);
  }
}
