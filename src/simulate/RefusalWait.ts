/** Wait that the 429s of a shard ask for, as far as its policy obeys it. Moments and durations in ms. */
export class RefusalWait {
  readonly #cap: number;
  #refusals = 0;
  #until = 0;
  #ends = 0;

  /** @param cap longest wait that the policy obeys */
  constructor(cap: number) {
    this.#cap = cap;
  }

  /** Number of 429s that have counted: a request is sent after these, and before all others. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Moment before which a request is early. */
  get ends(): number {
    return this.#ends;
  }

  /**
   * Learns from a 429. The 429 to a request that was sent before the latest 429 counts only if it names a later moment.
   *
   * @param refusals number of 429s that had counted when the request was sent
   */
  refused(refusals: number, now: number, delay: number): void {
    if (refusals < this.#refusals && now + delay <= this.#until) return;
    this.#refusals++;
    this.#until = Math.max(this.#until, now + delay);
    this.#ends = Math.max(this.#ends, now + Math.min(delay, this.#cap));
  }
}
