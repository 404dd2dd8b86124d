/** Wait that the 429s of a shard ask for, as far as its policy obeys it. Moments and durations in ms. */
export class RefusalWait {
  readonly #cap: number;
  #at = -Infinity;
  #until = 0;
  #ends = 0;

  /** @param cap longest wait that the policy obeys */
  constructor(cap: number) {
    this.#cap = cap;
  }

  /** Moment before which a request is early. */
  get ends(): number {
    return this.#ends;
  }

  /** Learns from a 429. One to a request that was sent before the latest 429 counts only if it names a later moment. */
  refused(sent: number, now: number, delay: number): void {
    if (sent < this.#at && now + delay <= this.#until) return;
    this.#at = now;
    this.#until = Math.max(this.#until, now + delay);
    this.#ends = Math.max(this.#ends, now + Math.min(delay, this.#cap));
  }
}
