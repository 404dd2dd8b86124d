import { probeTimeout } from '../probeTimeout.js';

/**
 * Slow start of the requests of one phase. One goes first (or a given number); its response lets two go, and each further response one
 * more, so that they double with every round trip, up to the allowance.
 *
 * A first request that stays unanswered holds nobody up for long: after a second (or four round trips) another goes, and so on.
 */
export class SlowStart {
  /** Most requests that may be sent. */
  allowance: number;
  #sent = 0;
  #answered = 0;
  #inFlight = 0;
  #mostInFlight: number;
  #firstSent = 0;
  #lastSent = 0;

  /** @param initial requests that may go before the first response has come */
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

  /** True if no request has been answered yet. */
  get unanswered(): boolean {
    return this.#answered === 0;
  }

  /** True if the allowance has been sent. */
  get usedUp(): boolean {
    return this.#sent >= this.allowance;
  }

  /** Lifts the allowance and the bound of the requests in flight. */
  unlimit(): void {
    this.allowance = Infinity;
    this.#mostInFlight = Infinity;
  }

  send(now: number): void {
    if (this.#inFlight === 0) this.#firstSent = now;
    this.#lastSent = now;
    this.#sent++;
    this.#inFlight++;
  }

  /** @returns true for the first response */
  answer(): boolean {
    this.#inFlight--;
    this.#mostInFlight++;
    return this.#answered++ === 0;
  }

  /** Gives back the part of a request that the window does not count; twice as many may try. */
  uncount(): void {
    this.#inFlight--;
    this.#mostInFlight++;
    this.#sent--;
  }

  /** Ends a request without a response: one that went first hands its turn on. */
  lose(): void {
    this.#inFlight--;
    if (this.#answered === 0) this.#sent--;
  }

  /**
   * Milliseconds until a request may go; `Infinity`: when a response has come.
   *
   * @param room requests that may be in flight by other knowledge
   * @param roundTrip the shortest so far, in ms, `Infinity` before the first
   * @param all true if all may go when the first response is overdue, not one more
   */
  untilNext(now: number, room: number, roundTrip: number, all: boolean): number {
    if (this.#answered === 0) {
      if (this.#inFlight < this.#mostInFlight) return 0;
      const timeout = probeTimeout(roundTrip);
      return Math.max(0, (all ? this.#firstSent : this.#lastSent) + timeout - now);
    }
    return !this.usedUp && this.#inFlight < Math.min(this.#mostInFlight, room) ? 0 : Infinity;
  }
}
