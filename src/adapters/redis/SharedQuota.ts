import { concat, type Observable, Subscription } from 'rxjs';
import { Hints } from '../../pace/Hints.js';
import type { Answer, Claim, Outcome, Permit } from '../../pace/Limiter.js';
import { once } from '../../pace/once.js';
import { elapsed, wait } from '../../time.js';
import { LARGEST_LEASE, type Lease, type LeaseAsk, type Ledger } from './Ledger.js';
import { LocalLedger, type Standing } from './LocalLedger.js';
import { PendingLesson } from './PendingLesson.js';
import { type Reading, readAnswer } from './readAnswer.js';
import type { RedisWatch } from './RedisWatch.js';
import { RoundTrip } from './RoundTrip.js';
import type { SharedLimiterEvent } from './SharedLimiterEvent.js';

/** What a quota's client works with. */
export interface SharedQuotaParts {
  /** The account that all clients share. */
  readonly ledger: Ledger;
  readonly watch: RedisWatch;
  /** Names this client in the account. */
  readonly client: string;
  readonly origin: string;
  /** How many clients there are, as long as the ledger has not told. */
  readonly clients: number;
  readonly configured: { readonly quota?: number | undefined; readonly window?: number | undefined };
  /** Which of the announced policies is shared. */
  readonly policy: string | undefined;
  /** After how many ms without a reply Redis counts as away. */
  readonly silence: number;
  readonly random: () => number;
  readonly notify: (event: SharedLimiterEvent) => void;
  /** An ask may be possible earlier than was said. */
  readonly changed: () => void;
  /** Waiting takes longer than was said. */
  readonly delayed: () => void;
}

/** A permit's part in the account. */
interface Turn {
  readonly sent: number;
  readonly stamp: number;
  readonly opening: boolean;
}

/** A call under way; once it is forsaken, what it still brings is given back. */
interface Call {
  forsaken: boolean;
}

/** How long, in ms, permits without use and news of no urgency wait for the next call to take them along. */
const ERRAND = 100;

/**
 * One client's part in a shared quota: a lease of permits, refilled from the ledger when it is used up.
 *
 *     shared -> local     Redis failed, or was silent for 50 ms: go by the own part of what was last known, at once
 *     local -> shared     a ping was answered, and the window has ended
 */
export class SharedQuota {
  readonly #parts: SharedQuotaParts;
  readonly #hints: Hints;
  readonly #roundTrip = new RoundTrip();
  /** Keeps the account while Redis is away. */
  #local: LocalLedger | undefined;

  #permits = 0;
  #stamp = 0;
  #opening = false;
  /** When the permits are void. */
  #until = 0;
  /** Unused permits of the last lease, still to be given back. */
  #unsent = 0;

  #calls = 0;
  #call: Call | undefined;
  #silence = Subscription.EMPTY;
  #errand = Subscription.EMPTY;
  /** Before, asking again is useless. */
  #retryAt = 0;
  #lesson: PendingLesson | undefined;
  /** The window of which it was told that it is used up. */
  #closed: number | undefined;

  #waiting = 0;
  #inFlight = 0;
  /** What was last known of the quota. */
  #standing: Standing;
  #clients: number;
  /** Whether the shared account has ever been read. */
  #heard = false;
  /** What may be leased in the window of the return: others may still go by their own parts. */
  #ration: { left: number; until: number } | undefined;

  constructor(parts: SharedQuotaParts) {
    this.#parts = parts;
    this.#hints = new Hints(parts.random);
    this.#standing = parts.configured;
    this.#clients = parts.clients;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get standing(): Standing {
    return this.#standing;
  }

  get clients(): number {
    return this.#clients;
  }

  /** Ms until a request may go, `Infinity`: when the ledger has answered. @param waiting how many requests want to */
  check(now: number, waiting: number): number {
    this.#waiting = waiting;
    if (this.#parts.watch.away) this.#parts.watch.look();
    if (this.#holds(now)) return 0;
    if (!this.#call && now >= this.#retryAt) this.#ask(now);
    if (this.#holds(now)) return 0;
    // A lease can be void when it arrives.
    return this.#call ? Infinity : Math.max(1, this.#retryAt - now);
  }

  take(now: number): Permit {
    this.#permits--;
    this.#waiting--;
    this.#inFlight++;
    const turn: Turn = { sent: now, stamp: this.#stamp, opening: this.#opening };
    return once({
      settle: (outcome) => this.#settle(turn, elapsed(), outcome),
      release: () => {
        this.#inFlight--;
        if (this.#surplus() > 0) this.#sendErrand();
      },
    });
  }

  /** Nobody waits and nothing is in flight: gives back what is left, and leaves no timer. */
  rest(): void {
    this.#forsake();
    this.#errand.unsubscribe();
    this.#tell();
    this.#giveBack(this.#permits);
  }

  /** Is no longer counted among those who share. */
  leave(): void {
    this.rest();
    this.#lease(this.#parts.ledger, 0, { leaves: true }).subscribe(QUIETLY);
  }

  #holds(now: number): boolean {
    if (now >= this.#until) this.#permits = 0;
    return this.#permits > 0;
  }

  #ask(now: number): void {
    const { watch } = this.#parts;
    if (!this.#local && watch.away) this.#goLocal(undefined);
    else if (this.#local && !watch.away && (this.#local.over || !this.#heard)) this.#comeBack();
    this.#tell();
    if (this.#ration && now >= this.#ration.until) this.#ration = undefined;
    if (this.#ration?.left === 0) {
      this.#retryAt = this.#ration.until;
      return;
    }

    const call: Call = { forsaken: false };
    this.#call = call;
    const need = Math.min(LARGEST_LEASE, Math.max(1, this.#waiting, this.#inFlight), this.#ration?.left ?? Infinity);
    const unsent = this.#unsent;
    this.#unsent = 0;
    this.#lease(this.#ledger, need, { unsent }).subscribe({
      next: (lease) => {
        if (!call.forsaken) this.#leased(lease, now);
        else this.#return(lease);
      },
      error: (error: unknown) => {
        if (!call.forsaken) this.#goLocal(error);
      },
    });
    if (this.#call === call) this.#listen();
  }

  /** Waits for the call's reply. */
  #listen(): void {
    // One turn of the event loop more: the reply may be there, and this process have been too busy to read it.
    this.#silence = concat(wait(this.#parts.silence), wait(0)).subscribe({
      complete: () => {
        this.#goLocal(undefined);
      },
    });
  }

  #lease(ledger: Ledger, need: number, more: Partial<LeaseAsk>): Observable<Lease> {
    return ledger.lease({
      client: this.#parts.client,
      call: ++this.#calls,
      need,
      unsent: 0,
      stamp: this.#stamp,
      guard: this.#roundTrip.guard(this.#standing.window),
      patience: this.#roundTrip.patience,
      ...more,
    });
  }

  get #ledger(): Ledger {
    return this.#local ?? this.#parts.ledger;
  }

  #leased(lease: Lease, asked: number): void {
    this.#forsake();
    const now = elapsed();
    const { granted, stamp, opening, retryIn, endsIn, quota, window, remaining, clients } = lease;
    const { gate } = this.#standing;
    this.#standing = { quota, window, remaining, ends: asked + endsIn, gate };
    this.#clients = clients;
    if (!this.#local) this.#heard = true;
    if (this.#ration) this.#ration = { left: this.#ration.left - granted, until: asked + endsIn };
    this.#permits = granted;
    this.#stamp = stamp;
    this.#opening = opening;
    this.#until = opening ? asked + this.#roundTrip.patience : asked + endsIn - this.#roundTrip.guard(this.#standing.window);
    this.#retryAt = granted > 0 ? now : now + Math.max(1, retryIn);
    this.#parts.changed();
    // Told once a window: each pause before the next look is no news.
    if (granted > 0 || remaining !== 0 || this.#closed === stamp) return;
    this.#closed = stamp;
    this.#parts.delayed();
  }

  /** Gives back what a forsaken call brought: it was leased, and never used. */
  #return({ granted, stamp }: Lease): void {
    if (granted > 0) this.#lease(this.#parts.ledger, 0, { unsent: granted, stamp }).subscribe(QUIETLY);
  }

  /** What the call under way still brings is not used. */
  #forsake(): void {
    if (this.#call) this.#call.forsaken = true;
    this.#call = undefined;
    this.#silence.unsubscribe();
  }

  #goLocal(error: unknown): void {
    this.#forsake();
    const { watch, origin, random, notify, changed } = this.#parts;
    watch.lost();
    if (!this.#local) {
      this.#local = new LocalLedger(this.#standing, this.#clients, random);
      notify({ type: 'local', origin, error, clients: this.#clients });
    }
    this.#retryAt = elapsed();
    changed();
  }

  #comeBack(): void {
    const { quota = Infinity } = this.#standing;
    this.#local = undefined;
    this.#lesson = undefined;
    if (this.#heard) this.#ration = { left: Math.max(1, Math.floor(quota / this.#clients)), until: Infinity };
    this.#parts.notify({ type: 'shared', origin: this.#parts.origin });
  }

  #settle(turn: Turn, now: number, outcome: Outcome): Claim | undefined {
    if (outcome === 'unknown' || outcome.status === 0) {
      if (turn.opening) this.#handOn(turn, now);
      return undefined;
    }
    this.#roundTrip.took(now - turn.sent);
    const reading = readAnswer(outcome, this.#parts.policy);
    if (outcome.status === 429) return this.#rejected(turn, now, reading);
    this.#passed(turn, now, reading, outcome);
    return undefined;
  }

  /** An opening request that dies hands its turn on. */
  #handOn(turn: Turn, now: number): void {
    this.#ledger.learn({ sentAgo: now - turn.sent, lost: true }).subscribe(QUIETLY);
    this.#retryAt = now;
    this.#parts.changed();
  }

  #rejected(turn: Turn, now: number, reading: Reading): Claim {
    const { gate = 0 } = this.#standing;
    const hint = this.#hints.believe(reading.hint, gate - now);
    this.#note(turn, now, reading, hint);
    this.#standing = { ...this.#standing, gate: Math.max(gate, now + hint) };
    this.#unsent += this.#permits;
    this.#permits = 0;
    this.#retryAt = Math.max(this.#retryAt, now + hint);
    this.#tell();
    this.#parts.delayed();
    return turn.opening ? 'opening' : 'owned';
  }

  #passed(turn: Turn, now: number, reading: Reading, { status }: Answer): void {
    if (status < 400) this.#hints.passed();
    const { remaining = Infinity } = this.#standing;
    const news = reading.remaining !== undefined && reading.remaining < remaining;
    if (!turn.opening && reading.remaining === undefined) return;
    this.#note(turn, now, reading, undefined);
    if (turn.stamp === this.#stamp && news) this.#standing = { ...this.#standing, remaining: reading.remaining };
    if (turn.opening || this.#local) this.#tell();
    else if (news) this.#sendErrand();
    if (!turn.opening) return;
    this.#retryAt = now;
    this.#parts.changed();
  }

  /** Keeps what an answer taught until it is told. */
  #note(turn: Turn, now: number, reading: Reading, hint: number | undefined): void {
    if (!this.#lesson?.isOf(turn.stamp)) {
      this.#tell();
      this.#lesson = new PendingLesson(turn.sent, turn.stamp);
    }
    this.#lesson.add(turn.sent, now, reading, hint);
  }

  #tell(): void {
    const lesson = this.#lesson;
    if (!lesson) return;
    this.#lesson = undefined;
    this.#ledger.learn(lesson.told(elapsed())).subscribe(QUIETLY);
  }

  #surplus(): number {
    return this.#permits - Math.max(0, this.#waiting, this.#inFlight);
  }

  #sendErrand(): void {
    if (!this.#errand.closed) return;
    this.#errand = wait(ERRAND).subscribe(() => {
      this.#tell();
      this.#giveBack(Math.max(0, this.#surplus()));
    });
  }

  #giveBack(permits: number): void {
    if (!this.#holds(elapsed())) permits = 0;
    this.#permits -= permits;
    const unsent = this.#unsent + permits;
    this.#unsent = 0;
    if (unsent > 0) this.#lease(this.#ledger, 0, { unsent }).subscribe(QUIETLY);
  }
}

/** For calls whose failure the next lease will notice. */
const QUIETLY = { error: (): void => undefined };
