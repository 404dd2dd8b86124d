import type { Failure } from './Failure.js';
import type { RetryPolicy, RetryRule } from './RetryPolicy.js';

/** Retries of one rule in one operation: each rule counts by itself, 429s apart from other failures for example. */
export interface RuleCounter {
  /** Retries made. */
  readonly retries: number;
  /** Last delay of the rule's own backoff, in ms. */
  readonly previous: number | undefined;
  /** True if the last hint was zero. */
  readonly zero: boolean;
}

/** Counter of a rule that has not been used. */
export const UNUSED: RuleCounter = { retries: 0, previous: undefined, zero: false };

/** A rule and its name. */
export interface NamedRule {
  readonly kind: string;
  readonly rule: RetryRule;
}

/** The first rule of a policy that takes a failure. Throws an error of `matches`. */
export function findRule({ rules }: Pick<RetryPolicy, 'rules'>, failure: Failure): NamedRule | undefined {
  const found = Object.entries(rules).find(([, rule]) => rule.matches(failure));
  return found && { kind: found[0], rule: found[1] };
}

/**
 * The last rule of a policy, which takes a retry that a `classify` hook asks for: the rule for failures that the server may have acted on.
 */
export function lastRule({ rules }: Pick<RetryPolicy, 'rules'>): NamedRule | undefined {
  const last = Object.entries(rules).at(-1);
  return last && { kind: last[0], rule: last[1] };
}

/** Methods whose repetition changes nothing more (RFC 9110 section 9.2.2). */
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

/**
 * True if the failed request may be sent again: its body can be made anew, and the rule takes its method, or it carries an idempotency key.
 * A foreign error whose method is unknown counts as replayable: the caller put the operator there.
 */
export function isReplayable({ replay }: RetryRule, { request }: Failure): boolean {
  if (!request) return true;
  const { method, headers, replayable = true } = request;
  if (!replayable) return false;
  return replay === 'any' || method === undefined || IDEMPOTENT.includes(method) || Boolean(headers?.get('idempotency-key'));
}
