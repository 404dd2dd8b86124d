/** Most windows that work needs which is near its end. */
const NEAR_END = 3;

/** Requests that a client has had of a window, and its share of those that are left. */
export class FairShare {
  #had = 0;
  #found = 0;
  #left = Infinity;

  /** Requests that are left for all clients, `Infinity` as long as nothing is known. */
  get left(): number {
    return this.#left;
  }

  /** Begins a window. */
  renew(): void {
    this.#had = 0;
    this.#left = Infinity;
  }

  /** Drops the number of requests left, which is too old to count. */
  forgetLeft(): void {
    this.#left = Infinity;
  }

  /** @param remaining requests left by the response, where it says so */
  answered(remaining: number | undefined): void {
    this.#had++;
    if (remaining === undefined) return;
    if (this.#had === 1) this.#found = remaining + 1;
    this.#left = Math.min(this.#left, remaining);
  }

  /**
   * Share in proportion to the consumption since this client came: others take by the same rule, so its part of the past is its part of the
   * rest.
   */
  byConsumption(): number {
    return this.#left * Math.min(1, this.#had / Math.max(1, this.#found - this.#left));
  }

  /**
   * Share by the order of the turns: the last but four takes a fifth of the requests that it finds, the last one all. Whole requests, those
   * already had in this turn included.
   *
   * @param rank 1 for the last in the order
   * @param had requests had in this turn
   */
  byRank(rank: number, had: number): number {
    return Math.floor((this.#left + had) / rank);
  }

  /** True if the waiting work is little beside the share of a window, so that others may not need theirs either. */
  isNearEnd(waiting: number): boolean {
    return waiting <= NEAR_END * this.#had;
  }
}
