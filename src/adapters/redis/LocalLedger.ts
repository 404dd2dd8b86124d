import { defer, type Observable, of } from 'rxjs';
import { elapsed } from '../../time.js';
import {
  LARGEST_LEASE,
  type Lease,
  type LeaseRequest,
  type Ledger,
  type Observation,
  OPENING_PAUSE,
  RETURNS_PAUSE,
  UNKNOWN_WINDOW,
} from './Ledger.js';
import type { QuotaState } from './QuotaState.js';

/**
 * Keeps the account of one part of a quota in this process, by the rules of the scripts: a client uses it while Redis is away.
 *
 * Each of n clients takes the last known remaining / n in the present window and quota / n in every later one. Both are rounded down, so
 * that all of them together never take more; only where there are more clients than requests, each takes one by that chance.
 */
export class LocalLedger implements Ledger {
  readonly #parts: number;
  readonly #random: () => number;
  readonly #sharing: () => number;

  #quota: number | undefined;
  #window: number | undefined;
  /** Id of the window: the moment at which it began. The one in which Redis went away began at some time before. */
  #opened = -Infinity;
  #ends: number;
  #gate: number;
  /** The client's part of the window; the used or void part of that; and the used part by the server's word. */
  #part = Infinity;
  #used = 0;
  #seen = 0;
  /** Moment at which permits were last leased or given back. */
  #moved = 0;
  #answered: boolean;
  #asked = -Infinity;

  /**
   * Starts the account from a known state.
   *
   * @param state last known state of the quota; a part of the remaining requests is this ledger's
   * @param parts number of parts into which the quota is split
   * @param random draws from 0 up to 1
   * @param sharing number of clients that lease from this ledger
   */
  constructor(state: QuotaState, parts: number, random: () => number, sharing: () => number = () => 1) {
    const now = elapsed();
    this.#parts = parts;
    this.#random = random;
    this.#sharing = sharing;
    this.#quota = state.quota;
    this.#window = state.window;
    this.#gate = state.gate ?? 0;
    this.#ends = state.ends ?? 0;
    this.#answered = state.remaining !== undefined && this.#gate <= now && this.#ends > now;
    if (state.remaining !== undefined) this.#part = Math.floor(state.remaining / parts);
  }

  /** True if the present window has ended. */
  get over(): boolean {
    const now = elapsed();
    return now >= this.#ends && now >= this.#gate;
  }

  lease(ask: LeaseRequest): Observable<Lease> {
    return defer(() => of(this.#lease(ask, elapsed())));
  }

  learn(observation: Observation): Observable<void> {
    return defer(() => {
      this.#learn(observation, elapsed());
      return of(undefined);
    });
  }

  #lease({ need, unsent, windowId, margin, probeTimeout }: LeaseRequest, now: number): Lease {
    if (this.over) this.#begin(now, now + (this.#window ?? UNKNOWN_WINDOW));
    if (windowId === this.#opened && unsent > 0) {
      this.#used = Math.max(this.#seen, this.#used - unsent);
      this.#moved = now;
      if (!this.#answered) this.#asked = -Infinity;
    }
    const { granted = 0, retryIn = 0 } = need === 0 ? {} : this.#grant(need, margin, probeTimeout, now);
    const opening = granted > 0 && !this.#answered;
    if (opening) this.#asked = now;
    this.#used += granted;
    if (granted > 0) this.#moved = now;
    return {
      granted,
      windowId: this.#opened,
      opening,
      retryIn,
      endsIn: this.#ends - now,
      quota: this.#quota,
      window: this.#window,
      remaining: this.#quota === undefined ? undefined : this.#available() * this.#parts,
      clients: this.#parts * this.#sharing(),
    };
  }

  #grant(need: number, margin: number, probeTimeout: number, now: number): { readonly granted?: number; readonly retryIn?: number } {
    const left = this.#available();
    const untilEnd = this.#ends - now;
    if (now < this.#gate) return { retryIn: this.#gate - now };
    if (this.#quota !== undefined && this.#part === 0) return { retryIn: untilEnd };
    if (!this.#answered) {
      const waited = now - this.#asked;
      return waited >= probeTimeout ? { granted: 1 } : { retryIn: between(OPENING_PAUSE, waited / 4) };
    }
    if (this.#quota === undefined) return { granted: Math.min(need, LARGEST_LEASE) };
    if (untilEnd <= margin) return { retryIn: untilEnd };
    if (left > 0) return { granted: Math.min(need, Math.max(1, Math.floor(left / this.#sharing())), LARGEST_LEASE, left) };
    if (this.#seen >= this.#part) return { retryIn: untilEnd };
    return { retryIn: Math.min(untilEnd, between(RETURNS_PAUSE, (now - this.#moved) / 2)) };
  }

  #learn({ sentAgo, quota, window, remaining, endsIn, hint, lost }: Observation, now: number): void {
    const sent = now - sentAgo;
    if (lost) {
      if (!this.#answered && sent >= this.#opened) this.#asked = -Infinity;
      return;
    }
    const ends = now + (endsIn ?? window ?? this.#window ?? UNKNOWN_WINDOW);
    if (sent >= this.#ends) this.#begin(sent, ends);
    if (sent >= this.#opened) {
      this.#window = window ?? (endsIn === undefined ? this.#window : Math.max(endsIn, this.#window ?? 0));
      if (quota !== undefined && quota !== this.#quota) {
        const unknown = this.#quota === undefined;
        this.#quota = quota;
        if (unknown) this.#part = this.#share();
      }
      if (remaining !== undefined && this.#quota !== undefined) {
        this.#seen = Math.max(this.#seen, this.#part - remaining);
        this.#used = Math.max(this.#used, this.#seen);
      }
      if (!this.#answered) this.#ends = ends;
      else if (endsIn !== undefined) this.#ends = Math.min(this.#ends, ends);
      if (now >= this.#gate) this.#answered = true;
    }
    if (hint === undefined) return;
    this.#gate = Math.max(this.#gate, now + hint);
    this.#answered = false;
    this.#asked = -Infinity;
  }

  #begin(opened: number, ends: number): void {
    this.#opened = opened;
    this.#ends = ends;
    this.#used = 0;
    this.#seen = 0;
    this.#answered = false;
    this.#asked = -Infinity;
    this.#part = this.#share();
  }

  /** The client's part of a whole window. */
  #share(): number {
    if (this.#quota === undefined) return Infinity;
    const share = this.#quota / this.#parts;
    return share >= 1 ? Math.floor(share) : this.#random() < share ? 1 : 0;
  }

  #available(): number {
    return Math.max(0, this.#part - this.#used);
  }
}

function between({ shortest, longest }: { readonly shortest: number; readonly longest: number }, pause: number): number {
  return Math.min(Math.max(pause, shortest), longest);
}
