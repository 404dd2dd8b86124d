import { BaselineConsumption } from './BaselineConsumption.js';

/** Most evidence that is kept, in clients seen: enough to know their number within 22 %. */
const MEMORY = 20;

/** Part of a slot in which other clients' requests are answered while a probe is in flight, the probe included. */
const ON_THE_WAY = 0.1;

/**
 * Estimate of the number of clients that share a quota, from the fall of `remaining` in a part of a slot in which each of them sends one
 * probe at a random moment.
 */
export class ClientEstimate {
  #baseline = new BaselineConsumption();
  #seen = 0;
  #exposure = 0;
  #probes = 0;

  /** Number of clients that share the quota, this one included; `Infinity` as long as nothing is known. */
  get clients(): number {
    return this.#exposure > 0 ? Math.max(1, this.#seen / this.#exposure) : Infinity;
  }

  /** Number of clients, once at least two windows have shown it; else 1. */
  get agreedClients(): number {
    return this.#probes >= 2 ? this.clients : 1;
  }

  /** True if no other client shares the quota. */
  get alone(): boolean {
    return this.clients < 1.5;
  }

  /** Requests of a window that are taken as it opens by clients that send no probe. */
  get baseline(): number {
    return this.#baseline.requests;
  }

  /**
   * Learns from the response to a probe.
   *
   * @param used requests of the window that had been used by then, the probe included
   * @param moment at which the probe was sent, 0 to 1 of the slot
   * @returns rank of this client among the probes, 1 for the first
   */
  learn(used: number, moment: number): number {
    this.#baseline.learn(moment, used);
    const rank = Math.max(1, used - this.baseline);
    this.#probes++;
    if (this.#seen > MEMORY) {
      this.#exposure *= MEMORY / this.#seen;
      this.#seen = MEMORY;
    }
    this.#seen += rank;
    this.#exposure += Math.min(1, moment + ON_THE_WAY);
    return rank;
  }

  forget(): void {
    this.#baseline = new BaselineConsumption();
    this.#seen = 0;
    this.#exposure = 0;
    this.#probes = 0;
  }
}
