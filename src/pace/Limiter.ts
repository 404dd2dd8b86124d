import type { Observable } from 'rxjs';
import type { HeadersLike } from '../headers/HeadersLike.js';
import type { Priority } from '../request/tokens.js';

/** A request for a permit. Every field is optional; a limiter that needs one says so. */
export interface Ask {
  /** Destination: any URL of the origin. A pacer distinguishes routes of an origin by its path. */
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  /** Rank among the waiting asks, behind the count of 429s; `'normal'` by default. */
  readonly priority?: Priority | undefined;
  /** Units that the request is expected to take from a limiter that counts them; 1 by default. */
  readonly cost?: number | undefined;
  /** 429s that the operation has received so far; 0 by default. */
  readonly rejections?: number | undefined;
  /** True if the request repeats one that failed for another reason than a used-up quota. */
  readonly retry?: boolean | undefined;
  /** Moment of the `elapsed()` clock at which the operation ends; none by default. An ask that cannot be in time is refused at once. */
  readonly deadline?: number | undefined;
  /** Longest wait in ms; unbounded by default. An ask that is known to wait longer is refused at once. */
  readonly maxWait?: number | undefined;
  /** Name of the origin's quota that the request falls under, where the caller knows it. */
  readonly policyName?: string | undefined;
  /** Mark that tells apart callers with quotas of their own. */
  readonly credential?: string | undefined;
  /**
   * True if a closed gate may send the request as the probe that finds out whether it opens; true by default. Other requests are sent only
   * where no probe waits.
   */
  readonly probe?: boolean | undefined;
  /** Name of the waiting policy: asks of one name wait behind a gate for the same time, so that their first speaks for all. */
  readonly waitsAs?: string | undefined;
  /**
   * True if the operation's policy caps the server's delays: the request may be sent before a delay is over, where another request has
   * found the gate open. False by default: it waits for the whole delay, even if others have passed.
   */
  readonly capped?: boolean | undefined;
  /**
   * Moment of the `elapsed()` clock from which the request may be sent after a refusal that closed its gate, where its own policy decides.
   * The function throws the error that the ask is to fail with instead. By default the gate waits as the server asked, else by a backoff of
   * its own.
   */
  readonly plan?: ((refusal: Refusal) => number) | undefined;
}

/** The end of a request, as far as limiters learn from it. */
export interface ResponseOutcome {
  /** Status of the response; 0: none arrived. */
  readonly status: number;
  readonly headers?: HeadersLike | undefined;
  /** Actual cost, where the response names it; corrects the ask's `cost`. */
  readonly cost?: number | undefined;
  /** The failure, where the request failed. */
  readonly error?: unknown;
  /** Delay that the server asks for, in ms; `null`: none. If left out, a limiter that needs it reads `Retry-After`. */
  readonly delay?: number | null | undefined;
  /** Name of the field that the delay was read from. */
  readonly source?: string | undefined;
  /** True if the server refused for its rate limit; by default a 429 does. */
  readonly limited?: boolean | undefined;
  /** True if a gate already holds the requests that follow this refusal. */
  readonly held?: boolean | undefined;
}

/**
 * Outcome of a request. `'unknown'`: the request was given up before a response came. The server may have counted it, so it counts as
 * spent.
 */
export type Outcome = ResponseOutcome | 'unknown';

/** The refusal that closed a gate, as every ask that waits behind the gate receives it. Moments are of the `elapsed()` clock. */
export interface Refusal {
  /** Moment at which the refusal arrived. */
  readonly at: number;
  /** Delay that the server asked for, in ms from `at`; `undefined`: none that counts. */
  readonly delay: number | undefined;
  /** Latest moment that the server has named since the gate closed; `at`, where it named none. */
  readonly until: number;
  /** Name of the field that the delay was read from. */
  readonly source: string | undefined;
  /** True if an announced quota is used up until then: a fact, which no policy shortens. */
  readonly binding: boolean;
  /** Refusals in a row, this one included. */
  readonly refusals: number;
  /** Probes in a row that were refused although they were sent no sooner than the server had said. */
  readonly run: number;
  /** The response itself. */
  readonly answer: ResponseOutcome;
}

/** A gate's promise to hold the next ask itself. */
export interface Hold {
  readonly refusal: Refusal;
  /** True if the refused request counts as a retry. It does not where others had used up an announced quota before it. */
  readonly counted: boolean;
  /** Takes the refusal back, unless another one has confirmed it: it concerned this request only. */
  readonly withdraw: () => void;
}

/** The right to send one request. */
export interface Permit {
  /**
   * Reports the end of the request, as soon as the head of a response is there: a rate limit ends here. Only the first call counts.
   *
   * @returns the hold, where the limiter keeps the next ask back itself
   */
  settle(outcome: Outcome): Hold | undefined;
  /** Gives back a slot among the requests in flight. Idempotent; without a `settle` before, the outcome is `'unknown'`. */
  release(): void;
}

/** Estimate of the wait of an ask. */
export interface Estimate {
  /** Cause of the wait: `'gate'`, `'rateLimit'`, `'breaker'`, `'slots'`, ... */
  readonly source: string;
  /** Expected wait in ms; `Infinity`: unknown. */
  readonly delay: number;
  /** Shortest possible wait in ms; 0 by default. An ask that may not wait that long is refused at once. */
  readonly least?: number | undefined;
  /** Quota windows still to pass, the current one included. */
  readonly windowsLeft?: number | undefined;
  /** Arithmetic behind `least`, for the message of a refusal. */
  readonly because?: string | undefined;
  /** Error behind the wait: the cause of a refusal. */
  readonly cause?: unknown;
}

/**
 * Decides when a request may be sent: a small state machine without a queue of its own. Ask it through `acquire` or `limitWith`, which hold
 * the queue; join several with `allOf`.
 */
export interface Limiter {
  /**
   * Milliseconds until `ask` could be taken; 0: now; `Infinity`: `changed$` will emit. It may throw the error that the ask is to fail with,
   * if it can never be taken.
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
  /** Lane within the line: asks in other lanes do not hold this one up either, but count among those that wait. One lane by default. */
  lane?(ask: Ask): string;
  /** True if the asks of other lanes go first for now. */
  yields?(ask: Ask): boolean;
  /** Estimate of the wait of `ask`. It may throw, like `check`. @param ahead number of asks in the line that go first */
  estimate?(ask: Ask, ahead: number): Estimate | undefined;
  /** Emits when waiting takes longer than was announced: all waits are then estimated anew. */
  readonly delayed$?: Observable<void>;
  /** True for a gate: it holds the asks that follow a 429, which the limiters joined with it then do not count. */
  readonly isGate?: boolean;
}
