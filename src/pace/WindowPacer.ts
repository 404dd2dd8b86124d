import { Batch } from './Batch.js';
import { Census } from './Census.js';
import { WindowClock } from './WindowClock.js';
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
  readonly batch: Batch;
  readonly at: number;
  /** Whether it looks if the gate may open: nothing has been answered in this phase yet. */
  readonly opening: boolean;
}

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
  readonly #clock = new WindowClock();

  #phase: Phase = 'free';
  /** The requests of this phase: answers to those of an earlier one do not count. */
  #batch = new Batch();

  /** Nothing is sent before. */
  #gate = 0;
  #remaining = Infinity;
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
    return this.#clock.ends;
  }

  /** Requests left in the window by what is known: none while the gate waits for the next. */
  remaining(now: number): number {
    return this.#gate > now && this.#gate >= this.ends ? 0 : this.#remaining;
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

  /** No answer came, or one that says nothing of this window: an opening request hands its turn on. */
  lost({ batch }: Turn): void {
    batch.lose();
  }

  /** An answer that the window let pass. */
  passed(turn: Turn, now: number, reading: Reading): void {
    this.#facts.learn(now - turn.at, reading);
    this.#credit = Math.min(MOST_CREDIT, this.#credit + CREDIT_FOR_SUCCESS);
    if (turn.batch !== this.#batch) return;
    const first = turn.batch.answer();
    this.#foresee(now, reading.reset, first);
    this.#ownInWindow++;
    if (this.#phase === 'roll') this.#clock.narrow(this.#facts.slot);
    if (reading.remaining === undefined) {
      // Where nothing limits the rate it is as if no pacer were here.
      if (this.#phase === 'free') turn.batch.unleash();
      else turn.batch.allowance = Infinity;
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
    if (turn.batch !== this.#batch) return;
    const first = turn.batch.answer();
    this.#foresee(now, wait, first);
    if (this.#phase === 'look') this.#credit--;
    if (this.#phase === 'roll' && first && wait < this.#facts.length / 2) this.#clock.widen(this.#facts.length);
    if (this.#census.alone) this.#census.forget();
    this.#close();
  }

  #begin(phase: Phase, gate: number): void {
    this.#phase = phase;
    this.#batch = new Batch();
    this.#remaining = Infinity;
    this.#gate = gate;
  }

  /** Until the window ends, and then for the moment that this client draws. */
  #close(): void {
    this.#clock.close();
    const { opened, trickles, spread } = this.#clock;
    const moment = this.#random();
    // Without a quota in sight it is a plain gate: open when the server said, by one request.
    if (this.#facts.quota === undefined) this.#begin('call', opened);
    else if (trickles) this.#begin('roll', opened + moment * spread);
    else if (this.#census.alone) this.#begin('roll', opened + moment * Math.min(250, this.#facts.slot));
    else this.#begin('call', opened + moment * this.#facts.slot);
    this.#closed();
  }

  /** What was allowed is used up, and more is wanted: look for what others left, or wait for the next window. */
  #finish(now: number, waiting: number): void {
    const at = Math.max(now, this.#clock.opened + 2 * this.#facts.slot) + this.#facts.slot * (0.2 + this.#random());
    const worthIt = this.#remaining > 0 && this.#credit >= 1 && at < this.ends;
    if (worthIt && this.#random() < this.#wantToLook(waiting)) this.#begin('look', at);
    else this.#close();
  }

  #wantToLook(waiting: number): number {
    if (this.#phase === 'look' || this.#phase === 'roll') return 0;
    const muchLeft = this.#remaining > (this.#facts.quota ?? Infinity) * (1 - this.#passed);
    // Near the end of the work quota that is left over is worth a window; where the share is five or more a request is cheap.
    const nearEnd = waiting <= ((this.#facts.quota ?? 0) < 5 * this.clients ? 3 : 12) * this.#batch.sent;
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
        this.#batch.allowance = Infinity;
    }
  }

  /** The first window: others fall under the same law, so the part of the past is the part of what is left. */
  #takeShareOfFall(): void {
    const fallen = (this.#facts.quota ?? this.#ownInWindow) - this.#remaining;
    const share = Math.min(1, this.#ownInWindow / Math.max(fallen, 1));
    const part = this.#remaining * share;
    const { sent, inFlight } = this.#batch;
    let more = Math.floor(part) - inFlight;
    if (more < 1 && inFlight === 0) more = this.#random() < part ? 1 : 0;
    this.#batch.allowance = sent + Math.max(0, more);
  }

  #countClients(now: number): void {
    const used = (this.#facts.quota ?? this.#remaining) - this.#remaining;
    this.#census.learn(used, Math.min(1, (now - this.#clock.opened) / this.#facts.slot + 0.1));
  }

  #afterCall(): void {
    if (this.#clock.trickles) {
      this.#phase = 'roll';
      this.#batch.allowance = Infinity;
    } else if (this.#random() < (this.#facts.quota ?? Infinity) / this.#census.clients - 1) {
      const { clients } = this.#census;
      this.#begin('ration', this.#clock.opened + (1 + this.#random()) * this.#facts.slot);
      this.#toCome = clients - 1;
    } else {
      this.#close();
    }
  }

  #takeRation(now: number): void {
    const quota = this.#facts.quota ?? this.#remaining;
    this.#passed = Math.min(1, Math.max(0, (now - this.#clock.opened) / this.#facts.slot - 1));
    if (this.#passed < 0.8) {
      this.#census.learn(Math.max(0, quota - this.#remaining - this.#passed * quota), 1 - this.#passed);
    }
    this.#toCome = (this.#census.clients - 1) * (1 - this.#passed);
    const fair = (this.#remaining + 1) / (1 + this.#toCome);
    this.#batch.allowance = Math.floor(fair) + (this.#random() < fair % 1 ? 1 : 0);
  }

  /** Learns from an announced time when the window ends, and at an opening whether it is one. */
  #foresee(now: number, reset: number | undefined, first: boolean): void {
    if (reset === undefined) return;
    const { opened } = this.#clock;
    const { slot, length } = this.#facts;
    const atOpening = this.#phase === 'roll' || (this.#phase === 'call' && now - opened < 2 * slot);
    if (first && atOpening) this.#clock.recognise(reset, length, slot);
    if (!this.#clock.foresee(now, reset)) return;
    this.#remaining = Infinity;
    this.#ownInWindow = 0;
  }

  /** Near the end of what is left fewer are in flight, as others take from it at the same moment. */
  #room(): number {
    const beside = this.#phase === 'ration' ? (this.clients * 4 * this.#facts.roundTrip) / this.#facts.slot : 0;
    return Math.max(1, this.#remaining / (1 + beside));
  }
}
