import type { QuotaWindow } from '../../headers/QuotaWindow.js';
import { ClientEstimate } from './ClientEstimate.js';
import { FairShare } from './FairShare.js';
import { ReclaimBudget } from './ReclaimBudget.js';
import { RemainingReliability } from './RemainingReliability.js';
import { SlowStart } from './SlowStart.js';
import { nextPhase, type Phase, type WindowEvent } from './transitions.js';
import { ROUNDING, WindowClock } from './WindowClock.js';
import { WindowFacts } from './WindowFacts.js';

/** Pass of one request through a window. */
export interface WindowPass {
  /** Requests of the phase in which the request was sent. */
  readonly requests: SlowStart;
  readonly at: number;
  /** True if the request is to find out whether the window is open: nothing had been answered in its phase. */
  readonly opening: boolean;
}

/** Options of a {@link WindowPacer}. */
export interface WindowPacerOptions {
  /** Requests that are sent before the first response has come; 1 by default. */
  readonly initial?: number;
  /**
   * Longest reset, in ms, that is accepted from a server that has never refused, before one request has found out; `Infinity` by default.
   */
  readonly maxHint?: number;
}

/** Gap between the slots of probes, shares and the reclaim, in slots: clients do not know to the millisecond when the window opened. */
const GAP = 0.2;

/** Longest time over which clients without others spread their return, in ms. */
const SPREAD_ALONE = 250;

/**
 * Finder of a client's share of one quota window, from the header fields of its own responses alone. It knows the time only from its
 * arguments.
 *
 *     unpaced -> probe -> share -> (reclaim) -> probe -> ...     several clients
 *     unpaced -> probe -> trickle -> trickle -> ...              alone, or the quota trickles back
 *     unpaced -> unpaced -> ...                                  `remaining` is missing or unreliable: the gate alone holds
 *
 * Every refusal, a `remaining` of 0 and a used-up share close it until the window ends. (Where the probe itself finds nothing left, a
 * reclaim shows whether that is true, as far as the budget goes.) The transitions are the table in `transitions.ts`; the README beside this
 * file derives them.
 */
export class WindowPacer {
  readonly #random: () => number;
  readonly #closed: () => void;
  readonly #maxHint: number;
  readonly #others = new ClientEstimate();
  readonly #clock = new WindowClock();
  readonly #budget = new ReclaimBudget();
  readonly #facts = new WindowFacts();
  readonly #share = new FairShare();
  readonly #reliability = new RemainingReliability();

  #phase: Phase = 'unpaced';
  /** Requests of this phase: responses to those of an earlier one do not count. */
  #requests: SlowStart;
  /** Moment before which nothing is sent. */
  #gate = 0;
  /** Rank of this client among the probes, 1 for the first. */
  #rank = 1;

  /** Reset for which the server's own, shorter delay has been taken. */
  #shortened = -Infinity;
  #everRefused = false;

  /** @param closed called whenever the gate closes */
  constructor(random: () => number, closed: () => void, { initial = 1, maxHint = Infinity }: WindowPacerOptions = {}) {
    this.#random = random;
    this.#closed = closed;
    this.#maxHint = maxHint;
    this.#requests = new SlowStart(initial);
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Number of clients that share the window, 1 as long as nothing is known. */
  get clients(): number {
    const { clients } = this.#others;
    return clients === Infinity ? 1 : clients;
  }

  /** Number of clients that share the window, once two windows have shown it; else 1. */
  get agreedClients(): number {
    return this.#others.agreedClients;
  }

  /** Facts about the window itself. */
  get facts(): Pick<WindowFacts, 'quota' | 'window'> {
    return this.#facts;
  }

  /** Moment before which nothing is sent. */
  get gate(): number {
    return this.#gate;
  }

  /** Moment at which the window ends. */
  get ends(): number {
    return this.#clock.ends;
  }

  /** Requests left in the window, as far as known: none while the gate waits for the next. */
  remaining(now: number): number {
    return this.#gate > now && this.#gate >= this.ends ? 0 : this.#share.left;
  }

  /** Milliseconds until a request may go; `Infinity`: when a response has come. @param waiting number of requests that wait */
  check(now: number, waiting: number): number {
    // Requests whose response takes longer than the window (long polling) do not hold up the next one.
    const overtaken = this.#clock.isOver(now) && !this.#requests.unanswered;
    if (now >= this.#gate && this.#requests.usedUp && (this.#requests.inFlight === 0 || overtaken)) this.#finish(now, waiting);
    if (now < this.#gate) return this.#gate - now;
    const delay = this.#requests.untilNext(now, this.#room(), this.#facts.roundTrip, this.#phase === 'unpaced');
    return delay === Infinity && this.ends > now ? this.ends - now : delay;
  }

  take(now: number): WindowPass {
    const pass = { requests: this.#requests, at: now, opening: this.#phase !== 'unpaced' && this.#requests.unanswered };
    this.#requests.send(now);
    return pass;
  }

  /** Ends a request without a response, or one that another window refused: an opening one hands its turn on. */
  lost({ requests }: WindowPass): void {
    requests.lose();
  }

  /** Ends a request that passed and whose response does not mention this window: the window does not count it. */
  uncounted({ requests }: WindowPass): void {
    requests.uncount();
  }

  /** Learns from a response that the window let pass. */
  passed(pass: WindowPass, now: number, reading: QuotaWindow): void {
    this.#facts.learn(now - pass.at, reading);
    this.#budget.earn();
    const closedInVain = this.#reliability.passed(pass.at, now, reading.remaining, reading.reset);
    if (pass.requests !== this.#requests) {
      if (closedInVain) this.#begin('refuted', now);
      return;
    }
    const first = pass.requests.answer();
    this.#announced(pass.at, now, reading.reset, first);
    if (this.#phase === 'trickle') this.#clock.narrow(this.#facts.slot);
    const remaining = this.#reliability.holds ? reading.remaining : undefined;
    this.#share.answered(remaining);
    if (this.#phase === 'probe') this.#classifyProbe(pass.at, now);
    if (remaining === undefined) this.#unlimit();
    else if (this.#phase === 'probe') this.#rank = this.#rankProbe(pass.at, now, remaining);
    else if (remaining !== 0) this.#takeShare(first);
    else if (!this.#everRefused && (reading.reset ?? 0) > this.#maxHint) this.#begin('doubtful', now);
    else this.#close();
  }

  /** Milliseconds until a used-up window is asked again: its reset, or the server's own delay, if that is sooner; once for each reset. */
  waitAfterRefusal(now: number, reset: number, asked: number | undefined): number {
    if (asked === undefined || asked > reset + ROUNDING) return reset;
    if (asked >= reset) return asked;
    if (Math.abs(now + reset - this.#shortened) <= ROUNDING) return reset;
    this.#shortened = now + reset;
    return asked;
  }

  /** Learns from a refusal although requests are announced to be left. */
  implausibleReset(pass: WindowPass, now: number, reading: QuotaWindow): void {
    if (!this.#refused(pass, now, reading)) return;
    pass.requests.answer();
    this.#begin('unreliable', 0);
    this.#requests.unlimit();
  }

  /** Learns from a refusal with nothing left. @param wait ms until the window is asked again */
  rejected(pass: WindowPass, now: number, reading: QuotaWindow, wait: number): void {
    if (!this.#refused(pass, now, reading)) return;
    const first = pass.requests.answer();
    this.#announced(pass.at, now, wait, first);
    if (this.#phase === 'reclaim') this.#budget.spend();
    if (this.#phase === 'trickle' && first && wait < this.#facts.length / 2) this.#clock.widen(this.#facts.length);
    if (this.#others.alone) this.#others.forget();
    this.#close();
  }

  /** @returns true if the refused request is one of this phase */
  #refused(pass: WindowPass, now: number, reading: QuotaWindow): boolean {
    this.#facts.learn(now - pass.at, reading);
    this.#reliability.rejected(reading.remaining);
    this.#everRefused = true;
    return pass.requests === this.#requests;
  }

  /** Moves to the phase that follows `event`, whose first request goes at `gate`. */
  #begin(event: WindowEvent, gate: number): void {
    this.#phase = nextPhase(this.#phase, event);
    this.#requests = new SlowStart();
    this.#share.forgetLeft();
    this.#gate = gate;
  }

  /** Closes until the window ends, and then until the moment that this client draws. */
  #close(): void {
    this.#clock.close();
    const { opens, trickles, spread } = this.#clock;
    const moment = this.#random();
    if (trickles) this.#begin('used up alone', opens + moment * spread);
    else if (this.#others.alone) this.#begin('used up alone', opens + moment * Math.min(SPREAD_ALONE, this.#facts.slot));
    else this.#begin('used up', Math.max(opens, this.#slots(moment)));
    this.#closed();
  }

  /** Ends a phase whose allowance is used up while more is wanted: with a reclaim, or with the window. */
  #finish(now: number, waiting: number): void {
    const worthIt = this.#phase === 'unpaced' || (this.#phase === 'share' && this.#share.isNearEnd(waiting));
    if (worthIt && this.#share.left > 0) this.#reclaim(now);
    else this.#close();
  }

  /** Reclaims once all clients have had their shares, as far as the budget goes. */
  #reclaim(now: number): void {
    const at = Math.max(now, this.#slots(2)) + this.#facts.slot * (GAP + this.#random() / 4);
    if (this.#budget.allows && at < this.ends) this.#begin('leftover', at);
    else this.#close();
  }

  /** Lets everything go where no field shows what is left: a 429 will show it. */
  #unlimit(): void {
    // A window without a limit behaves as if there were no pacer.
    if (this.#phase === 'unpaced') this.#requests.unlimit();
    else this.#requests.allowance = Infinity;
  }

  /** Distinguishes a probe with a rank from one that came too late, and from a look at quota that trickles back. */
  #classifyProbe(sent: number, now: number): void {
    const late = sent >= this.#slots(1 + GAP) || now >= this.#slots(2);
    if (this.#clock.trickles) this.#phase = nextPhase(this.#phase, 'trickling');
    else if (late && this.#facts.quota !== undefined) this.#phase = nextPhase(this.#phase, 'late');
  }

  /** @returns rank of this client, by which its turn comes: the last goes first */
  #rankProbe(sent: number, now: number, remaining: number): number {
    const quota = this.#facts.quota ?? remaining;
    const rank = this.#others.learn(quota - remaining, Math.max(0, sent - this.#clock.opened) / this.#facts.slot);
    const { clients, baseline } = this.#others;
    if (remaining === 0) this.#reclaim(now);
    else if (rank > quota - baseline - Math.round(clients)) this.#close();
    else this.#begin('ranked', this.#slots(1 + GAP + (1 - GAP) * Math.max(0, 1 - (rank - 0.5) / clients)));
    return rank;
  }

  #takeShare(first: boolean): void {
    if (this.#phase === 'unpaced') {
      this.#takeByConsumption();
    } else if (this.#phase === 'share') {
      const share = this.#share.byRank(this.#rank, this.#requests.answered);
      this.#requests.allowance = first ? share : Math.min(share, this.#requests.allowance);
    } else {
      this.#requests.allowance = Infinity;
    }
  }

  #takeByConsumption(): void {
    const share = this.#share.byConsumption();
    const { sent, inFlight } = this.#requests;
    let more = Math.floor(share) - inFlight;
    if (more < 1 && inFlight === 0) more = this.#random() < share ? 1 : 0;
    this.#requests.allowance = sent + Math.max(0, more);
  }

  /** Learns the end of the window from an announced time, and at an opening whether it is a window. */
  #announced(sent: number, now: number, reset: number | undefined, first: boolean): void {
    if (reset === undefined) return;
    const { slot, length } = this.#facts;
    const atOpening = this.#phase === 'trickle' || (this.#phase === 'probe' && now < this.#slots(2));
    if (first && atOpening) this.#clock.classify(reset, length, slot);
    if (this.#clock.announced(sent, now, reset)) this.#share.renew();
  }

  /** Moment at which so many slots have passed since the window opened. */
  #slots(count: number): number {
    return this.#clock.opened + count * this.#facts.slot;
  }

  /** Requests that may be in flight: fewer near the end of the quota, as others take from it at the same moment. */
  #room(): number {
    const beside = this.#phase === 'share' ? (this.clients * 4 * this.#facts.roundTrip) / this.#facts.slot : 0;
    return Math.max(1, this.#share.left / (1 + beside));
  }
}
