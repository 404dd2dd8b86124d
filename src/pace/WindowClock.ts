/**
 * When a window opened and when it ends, from the times that answers announce; and whether it is a window at all: with a sliding window or
 * a token bucket quota trickles back.
 */
export class WindowClock {
  #opened = 0;
  #ends = 0;
  #trickles = false;
  #spread = 0;

  /** When the window last opened for those that it had shut out. */
  get opened(): number {
    return this.#opened;
  }

  get ends(): number {
    return this.#ends;
  }

  /** Whether quota trickles back. */
  get trickles(): boolean {
    return this.#trickles;
  }

  /** Over how long single requests are spread where quota trickles back, in ms. */
  get spread(): number {
    return this.#spread;
  }

  isOver(now: number): boolean {
    return this.#ends > 0 && now >= this.#ends;
  }

  /** It is used up: from now on it is the next one that counts. */
  close(): void {
    this.#opened = this.#ends;
  }

  /** The wait announced right after an opening tells a fixed window, which has just begun, from quota that trickles back. */
  recognise(reset: number, length: number, slot: number): void {
    const trickles = reset < length / 2;
    if (trickles !== this.#trickles) this.#spread = slot;
    if (trickles) this.#trickles = true;
  }

  /**
   * Announced times are rounded up, so within a window the earliest end counts.
   *
   * @returns whether a new window has begun
   */
  foresee(now: number, reset: number): boolean {
    const begun = now >= this.#ends;
    this.#ends = this.#trickles || begun ? now + reset : Math.min(this.#ends, now + reset);
    return begun;
  }

  /** Single requests found quota: they may come closer to each other. */
  narrow(slot: number): void {
    this.#spread = Math.max(slot, 0.9 * this.#spread);
  }

  /** A single request found none. */
  widen(length: number): void {
    this.#spread = Math.min(2 * this.#spread, length);
  }
}
