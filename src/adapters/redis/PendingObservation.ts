import { least } from './QuotaState.js';
import type { Observation } from './Ledger.js';
import type { QuotaReading } from './readQuota.js';

/** Observations of several responses, joined until they are reported. Moments are of the `elapsed()` clock. */
export class PendingObservation {
  #sent: number;
  /** Window id of the responses. */
  readonly windowId: number;
  #quota: number | undefined;
  #window: number | undefined;
  #remaining: number | undefined;
  #ends: number | undefined;
  #gate: number | undefined;

  /**
   * @param sent moment at which the request was sent
   * @param windowId the window of its permit
   */
  constructor(sent: number, windowId: number) {
    this.#sent = sent;
    this.windowId = windowId;
  }

  /** True if responses of that window can be reported together with these. */
  isOf(windowId: number): boolean {
    return this.windowId === windowId;
  }

  /** @param hint time for which a 429 asks all clients to wait, in ms */
  add(sent: number, now: number, { quota, window, remaining, reset }: QuotaReading, hint: number | undefined): void {
    this.#sent = Math.min(this.#sent, sent);
    this.#quota = quota ?? this.#quota;
    this.#window = window ?? this.#window;
    this.#remaining = least(this.#remaining, remaining);
    this.#ends = least(this.#ends, reset === undefined ? undefined : now + reset);
    if (hint !== undefined) this.#gate = Math.max(this.#gate ?? 0, now + hint);
  }

  /** The observation, relative to `now`. */
  at(now: number): Observation {
    return {
      sentAgo: now - this.#sent,
      quota: this.#quota,
      window: this.#window,
      remaining: this.#remaining,
      endsIn: this.#ends === undefined ? undefined : Math.max(0, this.#ends - now),
      hint: this.#gate === undefined ? undefined : Math.max(0, this.#gate - now),
    };
  }
}
