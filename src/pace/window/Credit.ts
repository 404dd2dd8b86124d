const FIRST = 2;
const MOST = 3;
const FOR_SUCCESS = 0.05;

/** Bounds what is wasted on looking for quota that others may have left: a look that fails costs 1, which 20 successes earn. */
export class Credit {
  #balance = FIRST;

  /** Whether a look may be dared: one may overdraw. */
  get allowsLook(): boolean {
    return this.#balance >= 0;
  }

  earn(): void {
    this.#balance = Math.min(MOST, this.#balance + FOR_SUCCESS);
  }

  spend(): void {
    this.#balance--;
  }
}
