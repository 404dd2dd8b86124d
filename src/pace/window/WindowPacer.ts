import { Batch } from './Batch.js';
import { Census } from './Census.js';
import { Credit } from './Credit.js';
import { Share } from './Share.js';
import { Trust } from './Trust.js';
import { ROUNDING, WindowClock } from './WindowClock.js';
import { type Reading, WindowFacts } from './WindowFacts.js';

/**
 * Where a pacer stands in a window.
 *
 *  - `free`: nothing is known of the others, or they have had their turns. Its part is taken from how fast `remaining` falls.
 *  - `call`: the roll call. A window has opened; every client sends one request, at a random moment of the first slot. How far
 *    `remaining` has fallen by then is its number in the call.
 *  - `ration`: in the second slot the line turns round. Who came last goes first, and each divides what it finds by its own number: as
 *    many are still to come. The first of the call takes all that is left.
 *  - `look`: work is near its end, or the first window is, so others may have left their parts. Looking costs a credit, which only successes earn.
 *  - `roll`: there is nobody to share with, or the quota trickles back (a sliding window, a token bucket): take what there is.
 */
export type Phase = 'free' | 'call' | 'ration' | 'look' | 'roll';

/** The part that a request has in a window. */
export interface Turn {
  readonly batch: Batch;
  readonly at: number;
  /** Whether it looks if the gate may open: nothing has been answered in this phase yet. */
  readonly opening: boolean;
}

/** A reset so far away, in ms, is not believed of a server that has never refused, before one request has looked. */
const FAR = 900_000;

/** Between roll call, rations and looks, in slots: clients do not know to the millisecond when the window opened. */
const GAP = 0.2;

/**
 * Finds a client's share of one quota window, from the headers of its own answers alone. It knows the time only as it is told.
 *
 *     free -> call -> ration -> (look) -> call -> ...     several clients
 *     free -> call -> roll -> roll -> ...                 alone, or the quota trickles back
 *     free -> free -> ...                                 `remaining` is not told, or it has lied: the gate alone holds
 *
 * Every 429, a `remaining` of 0 and a used-up share close it until the window ends. (Where it is the call that finds nothing left, a look
 * shows whether that is true, as long as there is a credit.)
 */
export class WindowPacer {
  readonly #random: () => number;
  readonly #closed: () => void;
  readonly #census = new Census();
  readonly #clock = new WindowClock();
  readonly #credit = new Credit();
  readonly #facts = new WindowFacts();
  readonly #share = new Share();
  readonly #trust = new Trust();

  #phase: Phase = 'free';
  /** The requests of this phase: answers to those of an earlier one do not count. */
  #batch: Batch;
  /** Nothing is sent before. */
  #gate = 0;
  /** This client's number in the roll call. */
  #number = 1;

  /** Reset for which the server's own, shorter delay has been taken. */
  #shortened = -Infinity;
  #everRefused = false;

  /**
   * @param closed called whenever the gate closes
   * @param initial requests that are sent before the first answer has come
   */
  constructor(random: () => number, closed: () => void, initial = 1) {
    this.#random = random;
    this.#closed = closed;
    this.#batch = new Batch(initial);
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** How many clients share the window, 1 as long as nothing is known. */
  get clients(): number {
    const { clients } = this.#census;
    return clients === Infinity ? 1 : clients;
  }

  /** Clients that share the window, as far as two windows have told; else 1. */
  get agreedClients(): number {
    return this.#census.agreedClients;
  }

  /** What is known of the window itself. */
  get facts(): Pick<WindowFacts, 'quota' | 'window'> {
    return this.#facts;
  }

  /** Nothing is sent before. */
  get gate(): number {
    return this.#gate;
  }

  /** When the window ends. */
  get ends(): number {
    return this.#clock.ends;
  }

  /** Requests left in the window by what is known: none while the gate waits for the next. */
  remaining(now: number): number {
    return this.#gate > now && this.#gate >= this.ends ? 0 : this.#share.left;
  }

  /** Ms until a request may go, `Infinity`: when an answer has come. @param waiting how many requests want to */
  check(now: number, waiting: number): number {
    // Requests whose answer takes longer than the window (long polling) do not hold up the next one.
    const overtaken = this.#clock.isOver(now) && !this.#batch.unanswered;
    if (now >= this.#gate && this.#batch.usedUp && (this.#batch.inFlight === 0 || overtaken)) this.#finish(now, waiting);
    if (now < this.#gate) return this.#gate - now;
    const delay = this.#batch.untilNext(now, this.#room(), this.#facts.roundTrip, this.#phase === 'free');
    return delay === Infinity && this.ends > now ? this.ends - now : delay;
  }

  take(now: number): Turn {
    const turn = { batch: this.#batch, at: now, opening: this.#phase !== 'free' && this.#batch.unanswered };
    this.#batch.send(now);
    return turn;
  }

  /** No answer came, or another window said no: an opening request hands its turn on. */
  lost({ batch }: Turn): void {
    batch.lose();
  }

  /** An answer that was let pass and says nothing of this window: its request is none that the window counts. */
  spared({ batch }: Turn): void {
    batch.spare();
  }

  /** An answer that the window let pass. */
  passed(turn: Turn, now: number, reading: Reading): void {
    this.#facts.learn(now - turn.at, reading);
    this.#credit.earn();
    const closedInVain = this.#trust.passed(turn.at, now, reading.remaining, reading.reset);
    if (turn.batch !== this.#batch) {
      if (closedInVain) this.#begin('call', now);
      return;
    }
    const first = turn.batch.answer();
    this.#foresee(turn.at, now, reading.reset, first);
    if (this.#phase === 'roll') this.#clock.narrow(this.#facts.slot);
    const remaining = this.#trust.holds ? reading.remaining : undefined;
    this.#share.answered(remaining);
    if (this.#phase === 'call') this.#phase = this.#phaseOfCall(turn.at, now);
    if (remaining === undefined) this.#letGo();
    else if (this.#phase === 'call') this.#number = this.#answerRollCall(turn.at, now, remaining);
    else if (remaining !== 0) this.#takePart(first);
    else if (!this.#everRefused && (reading.reset ?? 0) > FAR) this.#begin('look', now);
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

  /** A refusal though requests are said to be left: `remaining` says nothing here. */
  disbelieved(turn: Turn, now: number, reading: Reading): void {
    this.#facts.learn(now - turn.at, reading);
    this.#trust.rejected(reading.remaining);
    this.#everRefused = true;
    if (turn.batch !== this.#batch) return;
    turn.batch.answer();
    this.#begin('free', 0);
    this.#batch.unleash();
  }

  /** A refusal with nothing left. @param wait ms until the window is asked again */
  rejected(turn: Turn, now: number, reading: Reading, wait: number): void {
    this.#facts.learn(now - turn.at, reading);
    this.#trust.rejected(reading.remaining);
    this.#everRefused = true;
    if (turn.batch !== this.#batch) return;
    const first = turn.batch.answer();
    this.#foresee(turn.at, now, wait, first);
    if (this.#phase === 'look') this.#credit.spend();
    if (this.#phase === 'roll' && first && wait < this.#facts.length / 2) this.#clock.widen(this.#facts.length);
    if (this.#census.alone) this.#census.forget();
    this.#close();
  }

  #begin(phase: Phase, gate: number): void {
    this.#phase = phase;
    this.#batch = new Batch();
    this.#share.forgetLeft();
    this.#gate = gate;
  }

  /** Until the window ends, and then for the moment that this client draws. */
  #close(): void {
    this.#clock.close();
    const { opens, trickles, spread } = this.#clock;
    const moment = this.#random();
    if (trickles) this.#begin('roll', opens + moment * spread);
    else if (this.#census.alone) this.#begin('roll', opens + moment * Math.min(250, this.#facts.slot));
    else this.#begin('call', Math.max(opens, this.#slots(moment)));
    this.#closed();
  }

  /** What was allowed is used up, and more is wanted: look for what others left, or wait for the next window. */
  #finish(now: number, waiting: number): void {
    const worthIt = this.#phase === 'free' || (this.#phase === 'ration' && this.#share.isNearEnd(waiting));
    if (worthIt && this.#share.left > 0) this.#look(now);
    else this.#close();
  }

  /** Once all have had their rations, if there is a credit. */
  #look(now: number): void {
    const at = Math.max(now, this.#slots(2)) + this.#facts.slot * (GAP + this.#random() / 4);
    if (this.#credit.allowsLook && at < this.ends) this.#begin('look', at);
    else this.#close();
  }

  /** Where nothing tells what is left, a 429 will. */
  #letGo(): void {
    // Where nothing limits the rate it is as if no pacer were here.
    if (this.#phase === 'free') this.#batch.unleash();
    else this.#batch.allowance = Infinity;
  }

  /** Where quota trickles back there is no roll call. Who came too late for it has no number, and takes its part as in a first window. */
  #phaseOfCall(sent: number, now: number): Phase {
    if (this.#clock.trickles) return 'roll';
    const late = sent >= this.#slots(1 + GAP) || now >= this.#slots(2);
    return late && this.#facts.quota !== undefined ? 'free' : 'call';
  }

  /** @returns this client's number, by which its turn comes: who came last goes first */
  #answerRollCall(sent: number, now: number, remaining: number): number {
    const quota = this.#facts.quota ?? remaining;
    const number = this.#census.learn(quota - remaining, Math.max(0, sent - this.#clock.opened) / this.#facts.slot);
    const { clients, takenByStrangers } = this.#census;
    if (remaining === 0) this.#look(now);
    else if (number > quota - takenByStrangers - Math.round(clients)) this.#close();
    else this.#begin('ration', this.#slots(1 + GAP + (1 - GAP) * Math.max(0, 1 - (number - 0.5) / clients)));
    return number;
  }

  #takePart(first: boolean): void {
    if (this.#phase === 'free') {
      this.#takePartOfFall();
    } else if (this.#phase === 'ration') {
      const part = this.#share.byPlace(this.#number, this.#batch.answered);
      this.#batch.allowance = first ? part : Math.min(part, this.#batch.allowance);
    } else {
      this.#batch.allowance = Infinity;
    }
  }

  #takePartOfFall(): void {
    const part = this.#share.byFall();
    const { sent, inFlight } = this.#batch;
    let more = Math.floor(part) - inFlight;
    if (more < 1 && inFlight === 0) more = this.#random() < part ? 1 : 0;
    this.#batch.allowance = sent + Math.max(0, more);
  }

  /** Learns from an announced time when the window ends, and at an opening whether it is one. */
  #foresee(sent: number, now: number, reset: number | undefined, first: boolean): void {
    if (reset === undefined) return;
    const { slot, length } = this.#facts;
    const atOpening = this.#phase === 'roll' || (this.#phase === 'call' && now < this.#slots(2));
    if (first && atOpening) this.#clock.recognise(reset, length, slot);
    if (this.#clock.foresee(sent, now, reset)) this.#share.renew();
  }

  /** The moment at which so many slots have passed since the window opened. */
  #slots(count: number): number {
    return this.#clock.opened + count * this.#facts.slot;
  }

  /** Near the end of what is left fewer are in flight, as others take from it at the same moment. */
  #room(): number {
    const beside = this.#phase === 'ration' ? (this.clients * 4 * this.#facts.roundTrip) / this.#facts.slot : 0;
    return Math.max(1, this.#share.left / (1 + beside));
  }
}
