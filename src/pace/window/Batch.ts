/** Without an answer for this long, in ms (or four round trips), requests that were sent first are given company. */
const PATIENCE = 1000;

/**
 * Requests of one phase: how many may go, went, and are on their way. One goes first (or as many as are told); its answer lets two go, and each further answer
 * one more, so that they double with every round trip.
 *
 * A first one that stays unanswered holds nobody up for long: after a second (or four round trips) another goes, and so on.
 */
export class Batch {
  /** Most requests that may be sent. */
  allowance: number;
  #sent = 0;
  #answered = 0;
  #inFlight = 0;
  #mostInFlight: number;
  #firstSent = 0;
  #lastSent = 0;

  /** @param initial requests that may go before the first answer has come */
  constructor(initial = 1) {
    this.allowance = initial;
    this.#mostInFlight = initial;
  }

  get sent(): number {
    return this.#sent;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get answered(): number {
    return this.#answered;
  }

  /** Whether nothing has been answered yet. */
  get unanswered(): boolean {
    return this.#answered === 0;
  }

  /** Whether what was allowed has been sent. */
  get usedUp(): boolean {
    return this.#sent >= this.allowance;
  }

  /** Nothing limits them any more. */
  unleash(): void {
    this.allowance = Infinity;
    this.#mostInFlight = Infinity;
  }

  send(now: number): void {
    if (this.#inFlight === 0) this.#firstSent = now;
    this.#lastSent = now;
    this.#sent++;
    this.#inFlight++;
  }

  /** @returns whether it is the first answer */
  answer(): boolean {
    this.#inFlight--;
    this.#mostInFlight++;
    return this.#answered++ === 0;
  }

  /** It was none of these requests after all: its part is given back, and twice as many may try. */
  spare(): void {
    this.#inFlight--;
    this.#mostInFlight++;
    this.#sent--;
  }

  /** No answer came: a request that went first hands its turn on. */
  lose(): void {
    this.#inFlight--;
    if (this.#answered === 0) this.#sent--;
  }

  /**
   * Ms until a request may go, `Infinity`: when an answer has come.
   *
   * @param room how many may be in flight by what else is known
   * @param roundTrip the shortest so far, in ms, `Infinity` before the first
   * @param all whether patience lets all go, not one more
   */
  untilNext(now: number, room: number, roundTrip: number, all: boolean): number {
    if (this.#answered === 0) {
      if (this.#inFlight < this.#mostInFlight) return 0;
      const patience = roundTrip < Infinity ? Math.max(PATIENCE, 4 * roundTrip) : PATIENCE;
      return Math.max(0, (all ? this.#firstSent : this.#lastSent) + patience - now);
    }
    return !this.usedUp && this.#inFlight < Math.min(this.#mostInFlight, room) ? 0 : Infinity;
  }
}
