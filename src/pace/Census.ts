/** The most evidence that is kept, in clients seen: enough to know their number within 22 %. */
const MEMORY = 20;

/**
 * Counts those who share a quota, from how far `remaining` fell in a part of a slot in which each of them sends one request at a random
 * moment.
 */
export class Census {
  #seen = 0;
  #exposure = 0;

  /** How many share the quota, this client included; `Infinity` as long as nothing is known. */
  get clients(): number {
    return this.#exposure > 0 ? Math.max(1, this.#seen / this.#exposure) : Infinity;
  }

  /** Whether nobody else is about. */
  get alone(): boolean {
    return this.clients < 1.5;
  }

  /** @param seen clients that showed themselves @param exposure the part of the slot that it took them, 0 to 1 */
  learn(seen: number, exposure: number): void {
    if (this.#seen > MEMORY) {
      this.#exposure *= MEMORY / this.#seen;
      this.#seen = MEMORY;
    }
    this.#seen += seen;
    this.#exposure += exposure;
  }

  forget(): void {
    this.#seen = 0;
    this.#exposure = 0;
  }
}
