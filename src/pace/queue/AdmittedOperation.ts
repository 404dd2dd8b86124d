import type { AskedDelay } from '../outcomes.js';
import type { Ask, Hold, ResponseOutcome } from '../Limiter.js';

/** The facts of an operation that its limiter asks for. */
export interface AdmittedOperation {
  /** Moment of the `elapsed()` clock at which the operation ends. */
  readonly deadline: number;
  /** Refusals for a rate limit that the operation has received. */
  readonly rejections: number;
  /** Milliseconds that the operation has waited at limiters, up to its last send. */
  readonly waitedAtGates: number;
  /** The last failed attempt. */
  readonly failed: { readonly hold: Hold | undefined } | undefined;
}

/** A delay before a retry, as a policy takes it. */
export interface PlannedDelay {
  /** Delay in ms. */
  readonly delay: number;
  /** Part of the delay that must fit in the deadline, in ms: the delay without its spread. */
  readonly minimum: number;
  readonly source: string;
  readonly capped: boolean;
}

/** The policy of an operation about refusals for a rate limit. */
export interface RefusalPolicy {
  /** Name of the rule for refusals. */
  readonly kind: string;
  /** The rule: operations that share it wait for the same time. */
  readonly rule: { readonly retries: number; readonly hint: 'capped' | 'minimum' };
  /** The longest server's delay that is obeyed, in ms. */
  readonly maxHint: number;
  /** Retries that the rule has made. */
  readonly retries: () => number;
  /** True if the request may be sent again. */
  readonly isReplayable: (method: string | undefined) => boolean;
  /** The delay after a refusal. @param context milliseconds left until the deadline, and the index of the rule's own backoff */
  readonly delayAfter: (asked: AskedDelay | undefined, context: { readonly left: number; readonly index: number }) => PlannedDelay;
}

/** Options for the admission of an operation's attempts. */
export interface AdmissionOptions<T> {
  /** Longest wait at the limiter, all attempts together, in ms. */
  readonly maxWait: number;
  /** Most requests in the line, beyond which an attempt is refused. */
  readonly maxQueued?: number | undefined;
  /** Facts about the request that the limiter is asked with, its `credential` unchanged. It may throw the error of a hook. */
  readonly ask: () => Ask;
  /** The response that a value stands for, if any; by default any value that looks like a response. */
  readonly answerOf?: ((value: T) => ResponseOutcome | undefined) | undefined;
}
