import { Census } from './Census.js';
import { type Reading, WindowFacts } from './WindowFacts.js';

/**
 * Where a pacer stands in a window.
 *
 *  - `free`: the first window, before anything is known. Its fair part is taken from how fast `remaining` falls.
 *  - `call`: the roll call. A window has opened; every client sends one request, at a random moment of the first slot. How far
 *    `remaining` has fallen by then says how many clients there are.
 *  - `ration`: one slot later each takes its part of what is left.
 *  - `look`: others may have left their part unused. Looking costs a credit, which only successes earn.
 *  - `roll`: there is nobody to share with, or the quota trickles back (a sliding window, a token bucket): take what there is.
 */
export type Phase = 'free' | 'call' | 'ration' | 'look' | 'roll';

/** The part that a request has in a window. */
export interface Turn {
  readonly epoch: number;
  readonly at: number;
  /** Whether it looks if the gate may open: nothing has been answered in this phase yet. */
  readonly opening: boolean;
}

/** Without an answer for this long, in ms (or four round trips), the opening request is given company. */
const PATIENCE = 1000;
const MOST_CREDIT = 3;
const CREDIT_FOR_SUCCESS = 0.05;

/**
 * Finds a client's share of one quota window, from the headers of its own answers alone. It knows the time only as it is told.
 *
 *     free -> call -> ration -> (look) -> call -> ...     several clients
 *     free -> call -> roll -> roll -> ...                 alone, or the quota trickles back
 *
 * Every 429, a `remaining` of 0 and a used-up share close it until the window ends.
 */
export class WindowPacer {
  readonly #random: () => number;
  readonly #closed: () => void;
  readonly #census = new Census();
  readonly #facts = new WindowFacts();

  #phase: Phase = 'free';
  /** Counts the phases: answers to requests of an earlier one are not counted. */
  #epoch = 0;
  #allowance = 1;
  #congestion = 1;
  #sent = 0;
  #answered = 0;
  #inFlight = 0;
  #lastSent = 0;

  /** Nothing is sent before. */
  #gate = 0;
  /** When the window last opened, and the moment of the window that this client drew. */
  #opened = 0;
  /** When it ends. */
  #ends = 0;
  #remaining = Infinity;
  /** Whether the announced times showed that quota trickles back, and over how long single requests are spread then. */
  #rolling = false;
  #spread = 0;
  /** How much of the ration's slot had passed at its first answer, 0 to 1; how many clients were still to come. */
  #passed = 0;
  #toCome = 0;
  #credit = 2;
  /** Own requests that this window has answered. */
  #ownInWindow = 0;

  /** @param closed called whenever the gate closes */
  constructor(random: () => number, closed: () => void) {
    this.#random = random;
    this.#closed = closed;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** How many clients share the window, 1 as long as nothing is known. */
  get clients(): number {
    const { clients } = this.#census;
    return clients === Infinity ? 1 : clients;
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
    return this.#ends;
  }

  /** Requests left in the window by what is known: none while the gate waits for the next. */
  remaining(now: number): number {
    return this.#gate > now && this.#gate >= this.#ends ? 0 : this.#remaining;
  }

  /** Ms until a request may go, `Infinity`: when an answer has come. @param waiting how many requests want to */
  check(now: number, waiting: number): number {
    if (now >= this.#gate && this.#sent >= this.#allowance && this.#inFlight === 0) this.#finish(now, waiting);
    if (now < this.#gate) return this.#gate - now;
    if (this.#sent >= this.#allowance) return this.#untilCompany(now);
    if (this.#answered === 0) return this.#inFlight === 0 ? 0 : this.#untilCompany(now);
    return this.#inFlight < this.#mostInFlight() ? 0 : Infinity;
  }

  take(now: number): Turn {
    this.#sent++;
    this.#inFlight++;
    this.#lastSent = now;
    return { epoch: this.#epoch, at: now, opening: this.#phase !== 'free' && this.#answered === 0 };
  }

  /** No answer came, or one that says nothing of this window: an opening request hands its turn on. */
  lost(turn: Turn): void {
    if (turn.epoch !== this.#epoch) return;
    this.#inFlight--;
    if (this.#answered === 0) this.#sent--;
  }

  /** An answer that the window let pass. */
  passed(turn: Turn, now: number, reading: Reading): void {
    this.#facts.learn(now - turn.at, reading);
    this.#credit = Math.min(MOST_CREDIT, this.#credit + CREDIT_FOR_SUCCESS);
    if (turn.epoch !== this.#epoch) return;
    this.#inFlight--;
    const first = this.#answered++ === 0;
    if (first) this.#recognise(now, reading.reset);
    this.#foresee(now, reading.reset);
    this.#ownInWindow++;
    this.#congestion++;
    if (this.#phase === 'roll') this.#spread = Math.max(this.#facts.slot, 0.9 * this.#spread);
    if (reading.remaining === undefined) {
      this.#allowance = Infinity;
      return;
    }
    this.#remaining = Math.min(this.#remaining, reading.remaining);
    if (this.#phase === 'call') this.#countClients(now);
    if (this.#remaining === 0) this.#close();
    else this.#proceed(now, first);
  }

  /** A 429. @param wait ms that the server, or else the caller's own backoff, asks for */
  rejected(turn: Turn, now: number, reading: Reading, wait: number): void {
    this.#facts.learn(now - turn.at, reading);
    if (turn.epoch !== this.#epoch) return;
    const first = this.#answered++ === 0;
    if (first) this.#recognise(now, wait);
    this.#foresee(now, wait);
    if (this.#phase === 'look') this.#credit--;
    if (this.#phase === 'roll' && first && wait < this.#facts.length / 2) this.#spread = Math.min(2 * this.#spread, this.#facts.length);
    if (this.#census.alone) this.#census.forget();
    this.#close();
  }

  #begin(phase: Phase, gate: number): void {
    this.#phase = phase;
    this.#epoch++;
    this.#allowance = 1;
    this.#congestion = 1;
    this.#sent = 0;
    this.#answered = 0;
    this.#inFlight = 0;
    this.#remaining = Infinity;
    this.#gate = gate;
  }

  /** Until the window ends, and then for the moment that this client draws. */
  #close(): void {
    this.#opened = this.#ends;
    const moment = this.#random();
    // Without a quota in sight it is a plain gate: open when the server said, by one request.
    if (this.#facts.quota === undefined) this.#begin('call', this.#ends);
    else if (this.#rolling) this.#begin('roll', this.#ends + moment * this.#spread);
    else if (this.#census.alone) this.#begin('roll', this.#ends + moment * Math.min(250, this.#facts.slot));
    else this.#begin('call', this.#ends + moment * this.#facts.slot);
    this.#closed();
  }

  /** What was allowed is used up, and more is wanted: look for what others left, or wait for the next window. */
  #finish(now: number, waiting: number): void {
    const at = Math.max(now, this.#opened + 2 * this.#facts.slot) + this.#facts.slot * (0.2 + this.#random());
    const worthIt = this.#remaining > 0 && this.#credit >= 1 && at < this.#ends;
    if (worthIt && this.#random() < this.#wantToLook(waiting)) this.#begin('look', at);
    else this.#close();
  }

  #wantToLook(waiting: number): number {
    if (this.#phase === 'look' || this.#phase === 'roll') return 0;
    const muchLeft = this.#remaining > (this.#facts.quota ?? Infinity) * (1 - this.#passed);
    // Near the end of the work quota that is left over is worth a window; where the share is five or more a request is cheap.
    const nearEnd = waiting <= ((this.#facts.quota ?? 0) < 5 * this.clients ? 3 : 12) * this.#sent;
    if (this.#phase === 'free' || nearEnd || muchLeft) return 1;
    return 1 / (1 + this.#toCome) ** 2;
  }

  #proceed(now: number, first: boolean): void {
    switch (this.#phase) {
      case 'free':
        this.#takeShareOfFall();
        break;
      case 'call':
        this.#afterCall();
        break;
      case 'ration':
        if (first) this.#takeRation(now);
        break;
      case 'look':
      case 'roll':
        this.#allowance = Infinity;
    }
  }

  /** The first window: others fall under the same law, so the part of the past is the part of what is left. */
  #takeShareOfFall(): void {
    const fallen = (this.#facts.quota ?? this.#ownInWindow) - this.#remaining;
    const share = Math.min(1, this.#ownInWindow / Math.max(fallen, 1));
    const part = this.#remaining * share;
    let more = Math.floor(part) - this.#inFlight;
    if (more < 1 && this.#inFlight === 0) more = this.#random() < part ? 1 : 0;
    this.#allowance = this.#sent + Math.max(0, more);
  }

  #countClients(now: number): void {
    const used = (this.#facts.quota ?? this.#remaining) - this.#remaining;
    this.#census.learn(used, Math.min(1, (now - this.#opened) / this.#facts.slot + 0.1));
  }

  #afterCall(): void {
    if (this.#rolling) {
      this.#phase = 'roll';
      this.#allowance = Infinity;
    } else if (this.#random() < (this.#facts.quota ?? Infinity) / this.#census.clients - 1) {
      const { clients } = this.#census;
      this.#begin('ration', this.#opened + (1 + this.#random()) * this.#facts.slot);
      this.#toCome = clients - 1;
    } else {
      this.#close();
    }
  }

  #takeRation(now: number): void {
    const quota = this.#facts.quota ?? this.#remaining;
    this.#passed = Math.min(1, Math.max(0, (now - this.#opened) / this.#facts.slot - 1));
    if (this.#passed < 0.8) {
      this.#census.learn(Math.max(0, quota - this.#remaining - this.#passed * quota), 1 - this.#passed);
    }
    this.#toCome = (this.#census.clients - 1) * (1 - this.#passed);
    const fair = (this.#remaining + 1) / (1 + this.#toCome);
    this.#allowance = Math.floor(fair) + (this.#random() < fair % 1 ? 1 : 0);
  }

  /** The wait announced right after an opening tells a fixed window, which has just begun, from quota that trickles back. */
  #recognise(now: number, reset: number | undefined): void {
    const atOpening = this.#phase === 'roll' || (this.#phase === 'call' && now - this.#opened < 2 * this.#facts.slot);
    if (!atOpening || reset === undefined) return;
    const trickles = reset < this.#facts.length / 2;
    if (trickles !== this.#rolling) this.#spread = this.#facts.slot;
    if (trickles) this.#rolling = true;
  }

  /** When the window ends: announced times are rounded up, so within a window the earliest counts. */
  #foresee(now: number, reset: number | undefined): void {
    if (reset === undefined) return;
    if (now >= this.#ends) {
      this.#remaining = Infinity;
      this.#ownInWindow = 0;
    }
    this.#ends = this.#rolling || now >= this.#ends ? now + reset : Math.min(this.#ends, now + reset);
  }

  #mostInFlight(): number {
    const beside = this.#phase === 'ration' ? (this.clients * 4 * this.#facts.roundTrip) / this.#facts.slot : 0;
    return Math.min(this.#congestion, Math.max(1, this.#remaining / (1 + beside)));
  }

  #untilCompany(now: number): number {
    if (this.#answered > 0 || this.#inFlight !== 1) return Infinity;
    const patience = Math.max(PATIENCE, this.#facts.roundTrip < Infinity ? 4 * this.#facts.roundTrip : 0);
    return Math.max(0, this.#lastSent + patience - now);
  }
}
