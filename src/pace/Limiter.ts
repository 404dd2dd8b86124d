import type { Observable } from 'rxjs';
import type { HeadersLike } from '../headers/HeadersLike.js';
import type { Priority } from '../request/tokens.js';

/** A request for a permit. Every field is optional; a limiter that needs one says so. */
export interface Ask {
  /** Destination: any URL of the origin. A pacer tells routes of an origin apart by its path. */
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  /** Rank among the waiting asks, behind the count of 429s; `'normal'` by default. */
  readonly priority?: Priority | undefined;
  /** Units that it is expected to take from a limiter that counts them; 1 by default. */
  readonly cost?: number | undefined;
  /** 429s that the operation has received so far; 0 by default. */
  readonly rejections?: number | undefined;
  /** True if it repeats a request that failed for another reason than a used-up quota. */
  readonly retry?: boolean | undefined;
  /** Moment of the `elapsed()` clock at which its operation ends; none by default. An ask that cannot be in time is refused at once. */
  readonly deadline?: number | undefined;
  /** Longest wait in ms; for ever by default. An ask that is known to wait longer is refused at once. */
  readonly maxWait?: number | undefined;
  /** Name of the origin's quota that it falls under, where the caller knows. */
  readonly policyName?: string | undefined;
  /** Mark that tells apart callers with quotas of their own. */
  readonly credential?: string | undefined;
  /** True if a closed gate may send it as the probe that finds out whether it opens; true by default. Others are sent only where no probe waits. */
  readonly probe?: boolean | undefined;
  /** Name of the waiting policy: asks of one name wait behind a gate for the same time, so that their first speaks for all. */
  readonly waitsAs?: string | undefined;
  /**
   * True if its policy caps the delays that servers ask for: it may be sent before a delay is over, where another request has found the gate open.
   * False by default: it waits for the whole delay, whoever has passed.
   */
  readonly capped?: boolean | undefined;
  /**
   * Moment of the `elapsed()` clock from which it may be sent after a refusal that closed its gate, where a policy of its own decides. It throws
   * the error that the ask is to fail with instead. By default the gate waits as the server asked, else by a backoff of its own.
   */
  readonly plan?: ((refusal: Refusal) => number) | undefined;
}

/** The end of a request, as far as limiters learn from it. */
export interface ResponseOutcome {
  /** Status of the answer; 0: none arrived. */
  readonly status: number;
  readonly headers?: HeadersLike | undefined;
  /** Actual cost, where the answer tells; corrects the ask's `cost`. */
  readonly cost?: number | undefined;
  /** The failure, where it was one. */
  readonly error?: unknown;
  /** Delay that the server asks for, in ms; `null`: none. Left out, a limiter that needs it reads `Retry-After`. */
  readonly delay?: number | null | undefined;
  /** Name of the field that the delay was read from. */
  readonly source?: string | undefined;
  /** True if the server refused for its rate limit; by default a 429 does. */
  readonly limited?: boolean | undefined;
  /** True if a gate already holds the requests that follow this refusal. */
  readonly held?: boolean | undefined;
}

/** `'unknown'`: it was given up before an answer came. It may have been counted by the server, so it counts as spent. */
export type Outcome = ResponseOutcome | 'unknown';

/** The refusal that closed a gate, as every ask that waits behind the gate hears of it. Moments are of the `elapsed()` clock. */
export interface Refusal {
  /** Moment at which it arrived. */
  readonly at: number;
  /** Delay that the server asked for, in ms from `at`; `undefined`: none that counts. */
  readonly delay: number | undefined;
  /** Latest moment that the server has named since the gate closed; `at`, where it named none. */
  readonly until: number;
  /** Name of the field that the delay was read from. */
  readonly source: string | undefined;
  /** True if it is an announced quota that is used up until then: a fact, which no policy shortens. */
  readonly binding: boolean;
  /** Refusals in a row, this one included. */
  readonly refusals: number;
  /** Probes in a row that were refused though they were sent when the server had said. */
  readonly run: number;
  /** The answer itself. */
  readonly answer: ResponseOutcome;
}

/** A gate's word that it holds the next ask itself. */
export interface Hold {
  readonly refusal: Refusal;
  /** True if the refused request counts as a retry: not, where others had used up an announced quota before it. */
  readonly counted: boolean;
  /** Takes the refusal back, unless another one has confirmed it: it concerned this request only. */
  readonly withdraw: () => void;
}

/** The right to send one request. */
export interface Permit {
  /**
   * Tells how the request ended, as soon as the head of an answer is there: a limit of the rate ends here. Only the first call counts.
   *
   * @returns the hold, where the limiter keeps the next ask back itself
   */
  settle(outcome: Outcome): Hold | undefined;
  /** Gives back a slot among the requests in flight. Idempotent; without a `settle` before, the outcome is `'unknown'`. */
  release(): void;
}

/** Knowledge of a limiter about the wait of an ask. */
export interface Estimate {
  /** Cause of the wait: `'gate'`, `'rateLimit'`, `'breaker'`, `'slots'`, ... */
  readonly source: string;
  /** Expected wait in ms; `Infinity`: nobody knows. */
  readonly delay: number;
  /** Shortest possible wait in ms; 0 by default. An ask for which it is too long is refused at once. */
  readonly least?: number | undefined;
  /** Quota windows still to pass, the current one included. */
  readonly windowsLeft?: number | undefined;
  /** Arithmetic behind `least`, for the message of a refusal. */
  readonly because?: string | undefined;
  /** Error that the wait goes back to: the cause of a refusal. */
  readonly cause?: unknown;
}

/**
 * Decides when a request may be sent: a small state machine without a queue of its own. Ask it through `acquire` or `limitWith`, which hold
 * the queue; join several with `allOf`.
 */
export interface Limiter {
  /**
   * Milliseconds until `ask` could be taken; 0: now; `Infinity`: `changed$` will say. It may throw the error that the ask is to fail with, if
   * it can never be taken.
   *
   * @param waiting number of asks in the line of this one, itself included
   */
  check(ask: Ask, waiting?: number): number;
  /** Takes what `ask` needs. Only after `check` said 0, and before anything else happens. */
  take(ask: Ask): Permit;
  /** Emits when an ask may be possible earlier than `check` had said. */
  readonly changed$: Observable<void>;
  /** Line in which `ask` waits: asks in other lines do not hold it up. One line for all by default. */
  line?(ask: Ask): string;
  /** Lane of its line: asks in other lanes do not hold it up either, but count among those who wait. One lane by default. */
  lane?(ask: Ask): string;
  /** True if the asks of other lanes go first for now. */
  yields?(ask: Ask): boolean;
  /** Knowledge about the wait of `ask`. It may throw as `check` does. @param ahead number of asks in its line that go first */
  estimate?(ask: Ask, ahead: number): Estimate | undefined;
  /** Emits when waiting takes longer than was told: the waits of all are estimated anew. */
  readonly delayed$?: Observable<void>;
  /** True if it is a gate: it holds the asks that follow a 429, which the limiters joined with it then do not count. */
  readonly isGate?: boolean;
}
