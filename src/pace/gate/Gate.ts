import type { Ask, Hold, Refusal, ResponseOutcome } from '../Limiter.js';
import { gateBackoff, HintMemory } from './HintMemory.js';
import { probeTimeout } from '../probeTimeout.js';

/** Round trips after which a gate that has opened behaves as if it had never closed. */
const SLOW_START = 8;

/** Shortest slow start, in ms. */
const SHORTEST_SLOW_START = 1000;

/** Pass of one request through a gate. */
export interface Pass {
  readonly at: number;
  /** Number of the closing during which the request was let through as a probe; `undefined`: the gate was open. */
  readonly closing: number | undefined;
  /** True if the request was sent no sooner than the server had said. */
  readonly onTime: boolean;
}

/**
 * The gate in front of a route or a quota that has answered 429: one state machine, told the time and the outcomes.
 *
 *     state     sends                                                 leaves it
 *     open      everything                                            a refusal closes it
 *     closed    nothing, until the plan of an ask lets it probe       a probe that passes opens it
 *     probing   one more, if the probe is unanswered for too long     refused: closed again; passed: opening; lost: closed, turn handed on
 *     opening   one more in flight with each answer                   open after 8 round trips, at least 1 s; a refusal closes it
 *
 * A refusal of a request that was sent before the gate closed confirms it, and can only raise its time. Answers of the 5xx kind, timeouts and
 * aborts hand the turn on and count neither way.
 */
export class Gate {
  readonly #random: () => number;
  readonly #hints = new HintMemory();
  #refusal: Refusal | undefined;
  /** The refusal whose delay is not over although a request has passed: asks that are not capped still wait for it. */
  #lingering: Refusal | undefined;
  /** True if more than one request has been refused since the gate closed. */
  #confirmed = false;
  /** Moment at which asks without a plan may probe. */
  #ownMoment = 0;
  /** Number of times that the gate has closed. */
  #closing = 0;
  #probes = 0;
  #lastProbe = 0;
  #opened = -Infinity;
  #inFlight = 0;
  #mostInFlight = Infinity;
  #roundTrip = 0;

  /** @param random draws from 0 up to 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** The refusal that holds the gate closed. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Moment from which `ask` may be sent. Throws the error that the ask's plan ends it with. */
  momentOf(ask: Ask, now: number): number {
    const refusal = this.#refusalFor(ask, now);
    if (!refusal) return 0;
    return ask.plan ? ask.plan(refusal) : this.#ownMoment;
  }

  /** Milliseconds until `ask` may go; `Infinity`: when a response has come. */
  check(ask: Ask, now: number): number {
    const wait = this.momentOf(ask, now) - now;
    if (wait > 0) return wait;
    if (!this.#refusal) return this.#untilOpen(now);
    if (this.#probes === 0) return 0;
    return this.#probes === 1 ? Math.max(0, this.#lastProbe + this.#probeTimeout - now) : Infinity;
  }

  take(now: number): Pass {
    this.#inFlight++;
    if (!this.#refusal) return { at: now, closing: undefined, onTime: true };
    this.#probes++;
    this.#lastProbe = now;
    return { at: now, closing: this.#closing, onTime: now >= this.#refusal.until };
  }

  /** Hands the turn on after no response, or one that says nothing about the limit. */
  lost(pass: Pass): void {
    this.#end(pass);
  }

  passed(pass: Pass, now: number): void {
    this.#end(pass);
    this.measured(now - pass.at);
    if (!this.#refusal) this.#mostInFlight++;
    else if (this.#isLastProbe(pass, this.#refusal)) this.#open(now);
  }

  /**
   * Closes the gate, or keeps it closed, after a refusal.
   *
   * @param pass `undefined` where the request was sent before the gate existed
   * @param delay the server's delay in ms, where it asks for one
   */
  refused(pass: Pass | undefined, now: number, delay: number | undefined, answer: ResponseOutcome): Hold {
    if (pass) this.#end(pass);
    if (pass) this.measured(now - pass.at);
    const before = this.#refusal;
    const refusal = before ? this.#refusedAgain(before, pass, now, delay, answer) : this.#close(now, delay, answer);
    return { refusal, counted: true, withdraw: () => this.#withdraw(refusal) };
  }

  /** Notes that a round trip has taken so many ms. */
  measured(roundTrip: number): void {
    if (roundTrip > 0) this.#roundTrip = this.#roundTrip === 0 ? roundTrip : Math.min(this.#roundTrip, roundTrip);
  }

  /** Closes with the refusal of another gate, whose requests this one holds from now on. */
  join(refusal: Refusal): void {
    this.#confirmed = true;
    if (this.#refusal && this.#refusal.until >= refusal.until) return;
    this.#closing++;
    this.#probes = 0;
    this.#hold(refusal);
  }

  get #probeTimeout(): number {
    return probeTimeout(this.#roundTrip);
  }

  #untilOpen(now: number): number {
    if (this.#inFlight < this.#mostInFlight) return 0;
    const open = this.#opened + Math.max(SHORTEST_SLOW_START, SLOW_START * this.#roundTrip);
    if (now < open) return open - now;
    this.#mostInFlight = Infinity;
    return 0;
  }

  /** The refusal that `ask` has to wait for. */
  #refusalFor({ capped }: Ask, now: number): Refusal | undefined {
    if (this.#refusal || capped) return this.#refusal;
    return this.#lingering && now < this.#lingering.until ? this.#lingering : undefined;
  }

  #open(now: number): void {
    this.#lingering = this.#refusal;
    this.#refusal = undefined;
    this.#hints.clear();
    this.#opened = now;
    this.#mostInFlight = this.#inFlight + 2;
  }

  #close(now: number, delay: number | undefined, answer: ResponseOutcome): Refusal {
    this.#closing++;
    this.#probes = 0;
    this.#confirmed = false;
    const hint = this.#hints.accepted(delay);
    const until = Math.max(now + (hint ?? 0), this.#lingering?.until ?? 0);
    this.#lingering = undefined;
    return this.#hold({ ...asked(now, hint, answer), until, refusals: 1, run: 0 });
  }

  #refusedAgain(before: Refusal, pass: Pass | undefined, now: number, delay: number | undefined, answer: ResponseOutcome): Refusal {
    this.#confirmed = true;
    if (pass && this.#isLastProbe(pass, before)) {
      const hint = this.#hints.accepted(delay);
      const until = Math.max(before.until, now + (hint ?? 0));
      const run = before.run + (pass.onTime ? 1 : 0);
      return this.#hold({ ...asked(now, hint, answer), until, refusals: before.refusals + 1, run });
    }
    const until = now + (delay ?? 0);
    // A zero hint of a request that was already in flight is no news.
    return until > before.until && delay !== 0 ? this.#hold({ ...before, ...asked(now, delay, answer), until }) : before;
  }

  #hold(refusal: Refusal): Refusal {
    const { at, delay, until, refusals } = refusal;
    this.#refusal = refusal;
    this.#ownMoment = delay === undefined ? Math.max(until, at + gateBackoff(refusals - 1, this.#random)) : until;
    return refusal;
  }

  /** True if a request was sent to find out whether the refusal still holds. */
  #isLastProbe({ closing, at }: Pass, refusal: Refusal): boolean {
    return closing === this.#closing && at >= refusal.at;
  }

  #withdraw(refusal: Refusal): void {
    if (this.#refusal !== refusal || this.#confirmed) return;
    this.#refusal = undefined;
    this.#hints.clear();
  }

  #end({ closing }: Pass): void {
    this.#inFlight--;
    if (closing === this.#closing && this.#probes > 0) this.#probes--;
  }
}

/** Fields of a refusal that its own answer gives. */
function asked(
  at: number,
  delay: number | undefined,
  answer: ResponseOutcome,
): Pick<Refusal, 'at' | 'delay' | 'source' | 'binding' | 'answer'> {
  return { at, delay, source: answer.source, binding: false, answer };
}
