import type { QuotaWindow } from '../../headers/QuotaWindow.js';

/** Shortest slot, in ms, in windows of 10 s and more: longer than the rounding of announced times to whole seconds. */
const SLOT = 1750;

/** Facts about a window and the way to its server, from the server's responses: they hold in every phase. */
export class WindowFacts {
  #quota: number | undefined;
  #window: number | undefined;
  #roundTrip = Infinity;
  #answers = 0;

  /** Requests that a window allows; the most that ever remained, where the quota is not announced. */
  get quota(): number | undefined {
    return this.#quota;
  }

  /** Length of the window in ms; the longest announced wait, where the length is not announced. */
  get window(): number | undefined {
    return this.#window;
  }

  /** Shortest round trip so far, in ms. */
  get roundTrip(): number {
    return this.#roundTrip;
  }

  /** Length of the window in ms, `Infinity` as long as nothing is known. */
  get length(): number {
    return this.#window ?? Infinity;
  }

  /** Length of a slot, in which each client sends its probe or takes its share, in ms. */
  get slot(): number {
    const byWindow = Math.min(SLOT, this.length / 6);
    const byRoundTrip = this.#answers >= 3 ? Math.min(16 * this.#roundTrip, this.length / 15) : 0;
    return Math.max(byWindow, byRoundTrip);
  }

  learn(roundTrip: number, { quota, remaining, window, reset }: QuotaWindow): void {
    this.#answers++;
    this.#roundTrip = Math.min(this.#roundTrip, roundTrip);
    if (quota !== undefined) this.#quota = quota;
    else if (remaining !== undefined) this.#quota = Math.max(this.#quota ?? 0, remaining);
    if (window !== undefined) this.#window = window;
    else if (reset !== undefined) this.#window = Math.max(this.#window ?? 0, reset);
  }
}
