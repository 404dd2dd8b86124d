/** What an answer says about one window. Durations in ms. */
export interface Reading {
  /** Requests that the window allows. */
  readonly quota?: number | undefined;
  /** The window's length. */
  readonly window?: number | undefined;
  /** Requests that are left in it. */
  readonly remaining?: number | undefined;
  /** Time until there are more. */
  readonly reset?: number | undefined;
}

/** Longest time in which clients answer the roll call, in ms: beats the rounding of announced times to whole seconds. */
const LONGEST_SLOT = 1750;

/** What answers have told about a window and the way to its server: what holds in every phase. */
export class WindowFacts {
  #quota: number | undefined;
  #window: number | undefined;
  #roundTrip = Infinity;
  #answers = 0;

  /** Requests that a window allows; the most that ever remained, where it is not announced. */
  get quota(): number | undefined {
    return this.#quota;
  }

  /** The window's length in ms; the longest announced wait, where it is not announced. */
  get window(): number | undefined {
    return this.#window;
  }

  /** The shortest round trip so far, in ms. */
  get roundTrip(): number {
    return this.#roundTrip;
  }

  /** The window's length in ms, `Infinity` as long as nothing is known. */
  get length(): number {
    return this.#window ?? Infinity;
  }

  /** The slot in which the clients answer the roll call one after another, in ms. */
  get slot(): number {
    const byWindow = Math.min(LONGEST_SLOT, this.length / 6);
    const byRoundTrip = this.#answers >= 3 ? Math.min(16 * this.#roundTrip, this.length / 15) : 0;
    return Math.max(byWindow, byRoundTrip);
  }

  learn(roundTrip: number, { quota, remaining, window, reset }: Reading): void {
    this.#answers++;
    this.#roundTrip = Math.min(this.#roundTrip, roundTrip);
    if (quota !== undefined) this.#quota = quota;
    else if (remaining !== undefined) this.#quota = Math.max(this.#quota ?? 0, remaining);
    if (window !== undefined) this.#window = window;
    else if (reset !== undefined) this.#window = Math.max(this.#window ?? 0, reset);
  }
}
