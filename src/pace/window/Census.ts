import { Strangers } from './Strangers.js';

/** The most evidence that is kept, in clients seen: enough to know their number within 22 %. */
const MEMORY = 20;

/** Part of a slot in which others answer while a call is on its way, and the call itself. */
const ON_THE_WAY = 0.1;

/**
 * Counts those who share a quota, from how far `remaining` fell in a part of a slot in which each of them sends one request at a random
 * moment.
 */
export class Census {
  #strangers = new Strangers();
  #seen = 0;
  #exposure = 0;
  #calls = 0;

  /** How many share the quota, this client included; `Infinity` as long as nothing is known. */
  get clients(): number {
    return this.#exposure > 0 ? Math.max(1, this.#seen / this.#exposure) : Infinity;
  }

  /** Clients, as far as two windows at least have told; else 1. */
  get agreedClients(): number {
    return this.#calls >= 2 ? this.clients : 1;
  }

  /** Whether nobody else is about. */
  get alone(): boolean {
    return this.clients < 1.5;
  }

  /**
   * Requests of a window that are taken at once by those who answer no roll call. Without them it is a client's number in the call that tells
   * how many there are.
   */
  get takenByStrangers(): number {
    return this.#strangers.requests;
  }

  /**
   * A call has been answered.
   *
   * @param used requests of the window that had been used by then, the call included
   * @param moment at which it was sent, 0 to 1 of the slot
   * @returns the number of this client in the call, 1 for the first
   */
  learn(used: number, moment: number): number {
    this.#strangers.learn(moment, used);
    const number = Math.max(1, used - this.takenByStrangers);
    this.#calls++;
    if (this.#seen > MEMORY) {
      this.#exposure *= MEMORY / this.#seen;
      this.#seen = MEMORY;
    }
    this.#seen += number;
    this.#exposure += Math.min(1, moment + ON_THE_WAY);
    return number;
  }

  forget(): void {
    this.#strangers = new Strangers();
    this.#seen = 0;
    this.#exposure = 0;
    this.#calls = 0;
  }
}
