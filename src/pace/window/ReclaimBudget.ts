const INITIAL = 2;
const MOST = 3;
const PER_SUCCESS = 0.05;

/** Budget of the requests that look for quota which other clients have left: a failed one costs 1, which 20 successes earn. */
export class ReclaimBudget {
  #balance = INITIAL;

  /** True if one more may be sent: the budget may be overdrawn by one. */
  get allows(): boolean {
    return this.#balance >= 0;
  }

  earn(): void {
    this.#balance = Math.min(MOST, this.#balance + PER_SUCCESS);
  }

  spend(): void {
    this.#balance--;
  }
}
