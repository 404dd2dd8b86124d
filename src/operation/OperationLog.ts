import type { GiveUpReason } from '../request/HttpEvent.js';
import type { NamedRule } from '../retry/rules.js';
import type { Failure } from '../retry/Failure.js';
import type { Hint } from '../retry/computeDelay.js';
import type { Hold } from '../pace/Limiter.js';
import { elapsed } from '../time.js';
import type { RetryReport } from './retryReport.js';
import { RuleCounters } from './RuleCounters.js';

/** A failed attempt, read once. */
export interface FailedAttempt {
  readonly failure: Failure;
  /** The rule that takes the failure, if one does. */
  readonly found: NamedRule | undefined;
  /** The delay that the server asks for, as the rule's sources read it. */
  readonly hint: Hint | undefined;
  /** The gate that holds the next attempt, if one does. */
  readonly hold: Hold | undefined;
  /** Moment of the failure, by both clocks: delays run from here. */
  readonly at: number;
  readonly wall: number;
  /** Order of its attempt among all sends. */
  readonly send: number;
}

/** The end of an operation without an answer. */
export interface GivenUp {
  readonly reason: GiveUpReason;
  readonly error: unknown;
}

/** State of one operation: what it has sent, how it failed, how long it has waited. */
export class OperationLog {
  readonly began = elapsed();
  /** Moment at which the operation ends. */
  readonly deadline: number;
  /** Retries made, counted by rule. */
  readonly counters = new RuleCounters();
  /** Number of requests sent. */
  sent = 0;
  /** Number of refusals for a rate limit. */
  rejections = 0;
  /** The last failed attempt. */
  failed: FailedAttempt | undefined;
  /** Set as soon as it is decided that the operation ends. */
  givenUp: GivenUp | undefined;
  #waited = 0;
  #waitedAtGates = 0;
  #waiting: { readonly since: number; gateSince: number | undefined } | undefined;

  /** @param deadline milliseconds for the whole operation */
  constructor(deadline: number) {
    this.deadline = this.began + deadline;
  }

  /** Begins a wait. @param since moment of the failure, or of the first ask */
  beginWait(since: number): void {
    this.#waiting ??= { since, gateSince: undefined };
  }

  /** Notes that a limiter holds the operation from now on. */
  enterGate(): void {
    const now = elapsed();
    this.beginWait(now);
    if (this.#waiting) this.#waiting.gateSince = now;
  }

  /** Ends the wait: the next request is sent. */
  endWait(): void {
    const now = elapsed();
    this.#waited = this.waited(now);
    this.#waitedAtGates += now - (this.#waiting?.gateSince ?? now);
    this.#waiting = undefined;
  }

  /** Milliseconds waited at limiters, up to the last send. */
  get waitedAtGates(): number {
    return this.#waitedAtGates;
  }

  waited(now: number): number {
    return this.#waited + (this.#waiting ? now - this.#waiting.since : 0);
  }

  report(reason: GiveUpReason): RetryReport {
    const now = elapsed();
    return {
      attempts: this.sent,
      elapsed: now - this.began,
      reason,
      retries: this.counters.report(),
      waited: this.waited(now),
    };
  }
}
