import { Subscription } from 'rxjs';
import { gateBackoff, HintMemory } from '../../pace/gate/HintMemory.js';
import type { Hold, Outcome, Permit, Refusal, ResponseOutcome } from '../../pace/Limiter.js';
import { makePermit } from '../../pace/makePermit.js';
import { elapsed, wait } from '../../time.js';
import { type DatedLease, FailoverAccount, type FailoverParts } from './FailoverAccount.js';
import { LARGEST_LEASE } from './Ledger.js';
import { PendingObservation } from './PendingObservation.js';
import { type QuotaReading, readQuota } from './readQuota.js';
import { RoundTrip } from './RoundTrip.js';
import type { QuotaState } from './QuotaState.js';
import { FLUSH_DELAY } from './Ledger.js';

/** Parts of a quota's client. */
export interface SharedQuotaParts extends FailoverParts {
  /** Name of the announced policy that is shared. */
  readonly policy: string | undefined;
  /** Called when an ask may be possible earlier than was said. */
  readonly changed: () => void;
  /** Called when waiting takes longer than was said. */
  readonly delayed: () => void;
}

/** A permit's part in the account. */
interface Turn {
  readonly sent: number;
  readonly windowId: number;
  readonly opening: boolean;
}

/** One client's part in a shared quota: a lease of permits, refilled from the account when it is used up. */
export class SharedQuota {
  readonly #parts: SharedQuotaParts;
  readonly #account: FailoverAccount;
  readonly #hints = new HintMemory();
  /** The refusal that closed the gate last. */
  #refusal: Refusal | undefined;
  /** Number of 429s in a row without a delay. */
  #missing = 0;
  readonly #roundTrip = new RoundTrip();

  #permits = 0;
  #windowId = 0;
  #opening = false;
  /** Moment from which on the permits are void. */
  #until = 0;
  /** Unused permits of the last lease, still to be given back. */
  #unsent = 0;

  #asking = Subscription.EMPTY;
  #flushing = Subscription.EMPTY;
  /** Moment before which asking again is useless. */
  #retryAt = 0;
  #observation: PendingObservation | undefined;
  /** Window id of the last exhausted window that waiters were told of. */
  #closed: number | undefined;

  #waiting = 0;
  #inFlight = 0;

  constructor(parts: SharedQuotaParts) {
    this.#parts = parts;
    this.#account = new FailoverAccount(parts);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get state(): QuotaState {
    return this.#account.state;
  }

  /** The refusal that holds the quota now, where this client received it. */
  get refusal(): Refusal | undefined {
    return this.#refusal && elapsed() < this.#refusal.until ? this.#refusal : undefined;
  }

  get clients(): number {
    return this.#account.clients;
  }

  /** Milliseconds until a request may go; `Infinity`: when the account has answered. @param waiting number of requests that wait */
  check(now: number, waiting: number): number {
    this.#waiting = waiting;
    if (this.#holds(now)) return 0;
    if (this.#asking.closed && now >= this.#retryAt) this.#ask();
    if (this.#holds(now)) return 0;
    // A lease can be void when it arrives.
    return this.#asking.closed ? Math.max(1, this.#retryAt - now) : Infinity;
  }

  take(now: number): Permit {
    this.#permits--;
    this.#waiting--;
    this.#inFlight++;
    const turn: Turn = { sent: now, windowId: this.#windowId, opening: this.#opening };
    return makePermit({
      settle: (outcome) => this.#settle(turn, elapsed(), outcome),
      release: () => {
        this.#inFlight--;
        if (this.#surplus() > 0) this.#flushSoon();
      },
    });
  }

  /** Gives back what is left when nobody waits and nothing is in flight, and leaves no timer. */
  rest(): void {
    this.#asking.unsubscribe();
    this.#flushing.unsubscribe();
    this.#flush();
    this.#giveBack(this.#permits);
  }

  /** Leaves the account: this client is no longer counted. */
  leave(): void {
    this.rest();
    this.#account.leave();
  }

  #holds(now: number): boolean {
    if (now >= this.#until) this.#permits = 0;
    return this.#permits > 0;
  }

  #ask(): void {
    this.#flush();
    const unsent = this.#unsent;
    this.#unsent = 0;
    const lease$ = this.#account.lease({
      need: Math.min(LARGEST_LEASE, Math.max(1, this.#waiting, this.#inFlight)),
      unsent,
      windowId: this.#windowId,
      margin: this.#roundTrip.margin(this.state.window),
      probeTimeout: this.#roundTrip.probeTimeout,
    });
    const asked = elapsed();
    this.#asking = lease$.subscribe((lease) => this.#leased(lease, asked));
  }

  #leased({ granted, windowId, opening, retryIn, remaining, ends }: DatedLease, asked: number): void {
    this.#asking = Subscription.EMPTY;
    const now = elapsed();
    this.#permits = granted;
    this.#windowId = windowId;
    this.#opening = opening;
    this.#until = opening ? asked + this.#roundTrip.probeTimeout : ends - this.#roundTrip.margin(this.state.window);
    this.#retryAt = granted > 0 ? now : now + Math.max(1, retryIn);
    const { gate = 0 } = this.state;
    if (now < gate) this.#closeUntil(gate);
    this.#parts.changed();
    // Waiters are told once a window: each pause before the next look is no news.
    if (granted > 0 || remaining !== 0 || this.#closed === windowId) return;
    this.#closed = windowId;
    this.#parts.delayed();
  }

  #settle(turn: Turn, now: number, outcome: Outcome): Hold | undefined {
    if (outcome === 'unknown' || outcome.status === 0) {
      if (turn.opening) this.#handOn(turn, now);
      return undefined;
    }
    this.#roundTrip.took(now - turn.sent);
    const reading = readQuota(outcome, this.#parts.policy);
    if (outcome.limited ?? outcome.status === 429) return this.#rejected(turn, now, reading, outcome);
    this.#passed(turn, now, reading, outcome);
    return undefined;
  }

  /** An opening request that dies hands its turn on. */
  #handOn(turn: Turn, now: number): void {
    this.#account.learn({ sentAgo: now - turn.sent, lost: true }, turn.windowId);
    this.#retryAt = now;
    this.#parts.changed();
  }

  #rejected(turn: Turn, now: number, reading: QuotaReading, answer: ResponseOutcome): Hold {
    const { gate = 0 } = this.state;
    const hint = this.#hints.accepted(reading.hint);
    if (hint !== undefined) this.#missing = 0;
    const delay = hint ?? (gate > now ? gate - now : gateBackoff(this.#missing++, this.#parts.random));
    this.#note(turn, now, reading, delay);
    this.#closeUntil(now + delay);
    this.#flush();
    this.#parts.delayed();
    const until = Math.max(gate, now + delay);
    const { source } = answer;
    this.#refusal = { at: now, delay: until - now, until, source, binding: true, refusals: 1, run: 0, answer };
    return { refusal: this.#refusal, counted: !turn.opening, withdraw: () => undefined };
  }

  /** Permits are not used before the gate opens, nor are those that came when a 429 had closed it. */
  #closeUntil(gate: number): void {
    this.#unsent += this.#permits;
    this.#permits = 0;
    this.#retryAt = Math.max(this.#retryAt, gate);
  }

  #passed(turn: Turn, now: number, reading: QuotaReading, { status }: ResponseOutcome): void {
    if (status < 400) {
      this.#hints.clear();
      this.#missing = 0;
    }
    const { remaining = Infinity } = this.state;
    const news = reading.remaining !== undefined && reading.remaining < remaining;
    if (!turn.opening && reading.remaining === undefined) return;
    this.#note(turn, now, reading, undefined);
    if (turn.opening || this.#account.isLocal) this.#flush();
    else if (news) this.#flushSoon();
    if (!turn.opening) return;
    this.#retryAt = now;
    this.#parts.changed();
  }

  /** Keeps the observation of a response until it is flushed. */
  #note(turn: Turn, now: number, reading: QuotaReading, hint: number | undefined): void {
    if (!this.#observation?.isOf(turn.windowId)) {
      this.#flush();
      this.#observation = new PendingObservation(turn.sent, turn.windowId);
    }
    this.#observation.add(turn.sent, now, reading, hint);
  }

  #flush(): void {
    const observation = this.#observation;
    this.#observation = undefined;
    if (observation) this.#account.learn(observation.at(elapsed()), observation.windowId);
  }

  #surplus(): number {
    return this.#permits - Math.max(0, this.#waiting, this.#inFlight);
  }

  #flushSoon(): void {
    if (!this.#flushing.closed) return;
    this.#flushing = wait(FLUSH_DELAY).subscribe(() => {
      this.#flush();
      this.#giveBack(Math.max(0, this.#surplus()));
    });
  }

  #giveBack(permits: number): void {
    if (!this.#holds(elapsed())) permits = 0;
    this.#permits -= permits;
    const unsent = this.#unsent + permits;
    this.#unsent = 0;
    this.#account.giveBack(unsent, this.#windowId);
  }
}
