import type { AskedDelay } from '../outcomes.js';
import type { Ask, Hold, ResponseOutcome } from '../Limiter.js';

/** An operation as far as its limiter asks about it. */
export interface AdmittedOperation {
  /** Moment of the `elapsed()` clock at which it ends. */
  readonly deadline: number;
  /** Refusals for a rate limit that it has received. */
  readonly rejections: number;
  /** Milliseconds that it has waited at limiters, up to its last send. */
  readonly waitedAtGates: number;
  /** Its last failed attempt. */
  readonly failed: { readonly hold: Hold | undefined } | undefined;
}

/** A delay before a retry, as a policy takes it. */
export interface PlannedDelay {
  /** In ms. */
  readonly delay: number;
  /** Part of it that must fit in the deadline, in ms: the delay without its spread. */
  readonly minimum: number;
  readonly source: string;
  readonly capped: boolean;
}

/** The policy of an operation about refusals for a rate limit. */
export interface RefusalPolicy {
  /** Name of its rule for them. */
  readonly kind: string;
  /** The rule: operations that share it wait for the same time. */
  readonly rule: { readonly retries: number; readonly hint: 'capped' | 'minimum' };
  /** The longest delay of a server that is obeyed, in ms. */
  readonly maxHint: number;
  /** Retries that the rule has made. */
  readonly retries: () => number;
  /** True if the request may be sent again. */
  readonly isReplayable: (method: string | undefined) => boolean;
  /** The delay after a refusal. @param context milliseconds left until the deadline, and the index of the rule's own backoff */
  readonly delayAfter: (asked: AskedDelay | undefined, context: { readonly left: number; readonly index: number }) => PlannedDelay;
}

/** How the attempts of an operation are admitted. */
export interface AdmissionOptions<T> {
  /** Longest wait at the limiter, all attempts together, in ms. */
  readonly maxWait: number;
  /** Most requests in its line, beyond which an attempt is refused. */
  readonly maxQueued?: number | undefined;
  /** Facts about the request that the limiter is asked with, its `credential` as it is. It may throw what a hook throws. */
  readonly ask: () => Ask;
  /** The answer that a value tells of, if it does; by default what looks like one. */
  readonly answerOf?: ((value: T) => ResponseOutcome | undefined) | undefined;
}
