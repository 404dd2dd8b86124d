/** Work of at most so many windows is near its end. */
const NEAR_END = 3;

/** What a client has had of a window, and how much of the rest is its part. */
export class Share {
  #had = 0;
  #found = 0;
  #left = Infinity;

  /** Requests that are left for all clients, `Infinity` as long as nothing is known. */
  get left(): number {
    return this.#left;
  }

  /** A window has begun. */
  renew(): void {
    this.#had = 0;
    this.#left = Infinity;
  }

  /** What was left is long ago. */
  forgetLeft(): void {
    this.#left = Infinity;
  }

  /** @param remaining what the answer says is left, if it does */
  answered(remaining: number | undefined): void {
    this.#had++;
    if (remaining === undefined) return;
    if (this.#had === 1) this.#found = remaining + 1;
    this.#left = Math.min(this.#left, remaining);
  }

  /** By how fast it falls since this client came: others fall under the same law, so the part of the past is the part of what is left. */
  byFall(): number {
    return this.#left * Math.min(1, this.#had / Math.max(1, this.#found - this.#left));
  }

  /**
   * By its place in the line: the last but four in it takes a fifth of what it finds, the last one all. Whole requests, those that it has
   * had on its turn included.
   *
   * @param place 1 for the last in the line
   * @param had what it has had on its turn
   */
  byPlace(place: number, had: number): number {
    return Math.floor((this.#left + had) / place);
  }

  /** Whether what a client still wants is little by what it gets, so that others may not need their parts either. */
  isNearEnd(waiting: number): boolean {
    return waiting <= NEAR_END * this.#had;
  }
}
