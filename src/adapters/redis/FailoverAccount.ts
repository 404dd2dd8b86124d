import { defer, map, type Observable, of } from 'rxjs';
import { elapsed } from '../../time.js';
import { least, type QuotaState } from './QuotaState.js';
import type { Lease, LeaseRequest, Ledger, Observation } from './Ledger.js';
import { LocalLedger } from './LocalLedger.js';
import type { RedisWatch } from './RedisWatch.js';
import type { SharedLimiterEvent } from './SharedLimiterEvent.js';
import { withFallback } from './withFallback.js';

/** Parts of an account. */
export interface FailoverParts {
  /** The account that all clients share. */
  readonly ledger: Ledger;
  readonly watch: RedisWatch;
  /** Id of this client in the account. */
  readonly client: string;
  readonly origin: string;
  /** Number of clients, as long as the ledger has not reported one. */
  readonly clients: number;
  readonly configured: { readonly quota?: number | undefined; readonly window?: number | undefined };
  /** Milliseconds without a reply after which Redis counts as away. */
  readonly silence: number;
  readonly random: () => number;
  readonly notify: (event: SharedLimiterEvent) => void;
}

/** Request for a lease, without the client's identity and the number of its call, which the account adds. */
export type LeaseNeed = Omit<LeaseRequest, 'client' | 'call' | 'leaves'>;

/** A lease, and the moment of the `elapsed()` clock at which its window ends. */
export type DatedLease = Lease & { readonly ends: number };

/** Permits that are still to be had, until a moment. */
interface Allowance {
  readonly left: number;
  readonly until: number;
}

/**
 * The account of a quota, wherever it is kept: so a request for a lease is always answered.
 *
 *     shared -> local     Redis failed, or was silent for 50 ms: go by the own part of what was last known, at once
 *     local -> shared     a ping was answered, the window has ended, and Redis leases again
 */
export class FailoverAccount {
  readonly #parts: FailoverParts;
  /** Keeps the account while Redis is away. */
  #local: LocalLedger | undefined;
  #state: QuotaState;
  #clients: number;
  /** Window id of the last lease. */
  #windowId: number | undefined;
  #calls = 0;
  /** True if the shared account has ever been read. */
  #hasShared = false;
  /** Failure of Redis that came while nobody waited, and the moment until which it counts. */
  #trouble: { readonly error: unknown; readonly until: number } | undefined;
  /** Permits that may be leased in the window of the return, while others may still go by their own parts. */
  #allowance: Allowance | undefined;

  constructor(parts: FailoverParts) {
    this.#parts = parts;
    this.#state = parts.configured;
    this.#clients = parts.clients;
  }

  get state(): QuotaState {
    return this.#state;
  }

  get clients(): number {
    return this.#clients;
  }

  /** True if the account is this process's own for now. */
  get isLocal(): boolean {
    return this.#local !== undefined;
  }

  /** Takes permits, and gives back unused ones. Never fails; a call that is under way when it is unsubscribed is given back. */
  lease(wish: LeaseNeed): Observable<DatedLease> {
    return defer(() => {
      const { watch } = this.#parts;
      if (watch.away) watch.look();
      const trouble = this.#trouble && elapsed() < this.#trouble.until ? this.#trouble : undefined;
      const mayShare = this.#local ? this.#local.over || !this.#hasShared : !trouble;
      return mayShare && !watch.away ? this.#leaseShared(wish) : this.#leaseLocally(wish, trouble?.error);
    });
  }

  /** Gives back permits of the window `windowId`. */
  giveBack(unsent: number, windowId: number): void {
    this.#return(this.#ledger, unsent, windowId);
  }

  /** Leaves the account: this client is no longer counted. */
  leave(): void {
    this.#return(this.#parts.ledger, 0, 0, { leaves: true });
  }

  /**
   * Corrects the account by a response.
   *
   * @param windowId the window of its request's permit
   */
  learn(observation: Observation, windowId: number): void {
    this.#note(observation, windowId);
    const local = this.#local !== undefined;
    this.#ledger.learn(observation).subscribe({
      error: (error: unknown) => {
        if (!local) this.#trouble = { error, until: this.#state.ends ?? Infinity };
      },
    });
  }

  get #ledger(): Ledger {
    return this.#local ?? this.#parts.ledger;
  }

  #signed(wish: LeaseNeed): LeaseRequest {
    return { ...wish, client: this.#parts.client, call: ++this.#calls };
  }

  #leaseShared(wish: LeaseNeed): Observable<DatedLease> {
    const asked = elapsed();
    const allowance = this.#allowanceAt(asked);
    if (allowance?.left === 0) return of(this.#nothingUntil(allowance.until, asked));

    const { ledger, silence, watch } = this.#parts;
    const need = Math.min(wish.need, allowance?.left ?? Infinity);
    return withFallback(ledger.lease(this.#signed({ ...wish, need })), {
      silence,
      replied: (lease) => {
        this.#share(allowance && { left: allowance.left - lease.granted, until: asked + lease.endsIn });
        return this.#noted(lease, asked);
      },
      away: (error) => {
        watch.lost();
        return this.#leaseLocally(wish, error);
      },
      late: (lease) => this.#return(ledger, lease.granted, lease.windowId),
    });
  }

  #leaseLocally(wish: LeaseNeed, error: unknown): Observable<DatedLease> {
    const local = this.#goLocal(error);
    return local.lease(this.#signed(wish)).pipe(map((lease) => this.#noted(lease, elapsed())));
  }

  /** An account that was kept while Redis was away is kept on: a return that fails does not make it forget what it has used. */
  #goLocal(error: unknown): LocalLedger {
    this.#trouble = undefined;
    this.#allowance = undefined;
    if (this.#local) return this.#local;
    const { origin, random, notify } = this.#parts;
    this.#local = new LocalLedger(this.#state, this.#clients, random);
    notify({ type: 'local', origin, error, clients: this.#clients });
    return this.#local;
  }

  /** Goes back to the shared account: Redis has answered. */
  #share(allowance: Allowance | undefined): void {
    this.#allowance = allowance;
    this.#hasShared = true;
    if (!this.#local) return;
    this.#local = undefined;
    this.#parts.notify({ type: 'shared', origin: this.#parts.origin });
  }

  /** A client takes no more than its own part in the window of the return: others may still go by theirs. */
  #allowanceAt(now: number): Allowance | undefined {
    const { quota = Infinity } = this.#state;
    if (this.#local && this.#hasShared) return { left: Math.max(1, Math.floor(quota / this.#clients)), until: Infinity };
    return this.#allowance && now < this.#allowance.until ? this.#allowance : undefined;
  }

  #nothingUntil(until: number, now: number): DatedLease {
    const { quota, window, remaining } = this.#state;
    const windowId = this.#windowId ?? 0;
    const granted = { granted: 0, windowId, opening: false, retryIn: until - now, endsIn: until - now, ends: until };
    return { ...granted, quota, window, remaining, clients: this.#clients };
  }

  #return(ledger: Ledger, unsent: number, windowId: number, more: { readonly leaves?: true } = {}): void {
    if (unsent === 0 && !more.leaves) return;
    const ask = this.#signed({ need: 0, unsent, windowId, margin: 0, probeTimeout: 0 });
    ledger.lease({ ...ask, ...more }).subscribe(QUIETLY);
  }

  #noted(lease: Lease, asked: number): DatedLease {
    const { quota, window, remaining, endsIn, clients, windowId } = lease;
    const known = this.#state;
    const ends = asked + endsIn;
    // An account that has just begun, in a Redis that has started empty, knows less.
    const empty = quota === undefined && (known.ends ?? 0) > asked;
    this.#state = {
      quota: quota ?? known.quota,
      window: window ?? known.window,
      remaining: empty ? known.remaining : remaining,
      ends: empty ? known.ends : ends,
      gate: known.gate,
    };
    this.#clients = clients;
    this.#windowId = windowId;
    return { ...lease, ends };
  }

  #note({ quota, window, remaining, endsIn, hint, lost }: Observation, windowId: number): void {
    if (lost) return;
    const now = elapsed();
    const known = this.#state;
    const present = windowId === this.#windowId;
    this.#state = {
      quota: quota ?? known.quota,
      window: window ?? known.window,
      remaining: present ? least(known.remaining, remaining) : known.remaining,
      ends: present && endsIn !== undefined ? least(known.ends, now + endsIn) : known.ends,
      gate: hint === undefined ? known.gate : Math.max(known.gate ?? 0, now + hint),
    };
  }
}

/** Observer of calls whose failure the next lease will notice. */
const QUIETLY = { error: (): void => undefined };
