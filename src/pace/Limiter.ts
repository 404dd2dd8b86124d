import type { Observable } from 'rxjs';
import type { HeadersLike } from '../headers/HeadersLike.js';
import type { Priority } from '../request/tokens.js';

/** What a limiter is asked: may this request go? Every field is optional; a limiter that needs one says so. */
export interface Ask {
  /** Where it goes: an origin, or any URL of it. */
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  /** Of the waiting asks, who goes first after those with fewer 429s; `'normal'` by default. */
  readonly priority?: Priority | undefined;
  /** Units that it is expected to take from a limiter that counts them; 1 by default. */
  readonly cost?: number | undefined;
  /** 429s that the operation has received so far; 0 by default. */
  readonly rejections?: number | undefined;
  /** Whether it repeats a request that failed for another reason than a used-up quota. */
  readonly retry?: boolean | undefined;
  /** The moment of the `elapsed()` clock at which its operation ends; none by default. What cannot be in time is refused at once. */
  readonly deadline?: number | undefined;
  /** How long it waits at most, in ms; for ever by default. */
  readonly maxWait?: number | undefined;
  /** Which of the origin's quotas it falls under, where the caller knows. */
  readonly policyName?: string | undefined;
  /** What tells apart callers with quotas of their own. */
  readonly credential?: string | undefined;
  /** The failure that led to it. */
  readonly lastError?: unknown;
}

/** How a request ended, as far as limiters learn from it. */
export interface Answer {
  /** The status of the answer; 0: none arrived. */
  readonly status: number;
  readonly headers?: HeadersLike | undefined;
  /** What it did cost after all, where the answer tells; corrects the ask's `cost`. */
  readonly cost?: number | undefined;
  /** The failure, where it was one. */
  readonly error?: unknown;
}

/** `'unknown'`: it was given up before an answer came. It may have been counted by the server, so it counts as spent. */
export type Outcome = Answer | 'unknown';

/**
 * Whose the wait after a 429 is. `'owned'`: the limiter holds the next ask back until its time; `'opening'`: so too, and the request was the
 * limiter's own look whether it may open.
 */
export type Claim = 'owned' | 'opening';

/** The right to send one request. */
export interface Permit {
  /**
   * Tells how the request ended, as soon as the head of an answer is there: what limits the rate ends here. Only the first call counts.
   *
   * @returns whose the wait is, if the request has to be sent again
   */
  settle(outcome: Outcome): Claim | undefined;
  /** Gives back what limits requests in flight. Idempotent; without a `settle` before, the outcome is `'unknown'`. */
  release(): void;
}

/** What an ask that waits can be told. */
export interface Outlook {
  /** What it waits for: `'gate'`, `'breaker'`, ... */
  readonly source: string;
  /** How long it will wait, in ms, by what is known; `Infinity`: nobody knows. */
  readonly delay: number;
  /** How many quota windows are still to pass, the current one included. */
  readonly windowsLeft?: number | undefined;
  /** Set if waiting is pointless: what the ask fails with. */
  readonly refusal?: unknown;
}

/**
 * Decides when a request may be sent: a small state machine without a queue of its own. Ask it through `acquire` or `limitWith`, which hold
 * the queue; join several with `allOf`.
 */
export interface Limiter {
  /**
   * Milliseconds until `ask` could be taken; 0: now; `Infinity`: `changed$` will say. It may throw what the ask is to fail with, if it can
   * never be taken.
   *
   * @param waiting how many asks wait in the line of this one, itself included
   */
  check(ask: Ask, waiting?: number): number;
  /** Takes what `ask` needs. Only after `check` said 0, and before anything else happens. */
  take(ask: Ask): Permit;
  /** Emits when an ask may be possible earlier than `check` had said. */
  readonly changed$: Observable<void>;
  /** The line in which `ask` waits: asks in other lines do not hold it up. One line for all by default. */
  line?(ask: Ask): string;
  /** What is known about the wait of `ask`. @param ahead how many asks of its line go before it */
  outlook?(ask: Ask, ahead: number): Outlook | undefined;
  /** Emits when waiting takes longer than was told: the outlook of all who wait is told anew. */
  readonly delayed$?: Observable<void>;
}
