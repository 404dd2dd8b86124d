import type { Failure } from './Failure.js';
import type { RetryPolicy, RetryRule } from './RetryPolicy.js';

/** A rule and its name. */
export interface NamedRule {
  readonly kind: string;
  readonly rule: RetryRule;
}

/** The first rule of a policy that takes a failure. Throws the error of a `matches` that throws. */
export function findRule({ rules }: Pick<RetryPolicy, 'rules'>, failure: Failure): NamedRule | undefined {
  const found = Object.entries(rules).find(([, rule]) => rule.matches(failure));
  return found && { kind: found[0], rule: found[1] };
}

/** The last rule of a policy, to which a retry falls that a `classify` hook asks for: the one for failures that the server may have acted on. */
export function lastRule({ rules }: Pick<RetryPolicy, 'rules'>): NamedRule | undefined {
  const last = Object.entries(rules).at(-1);
  return last && { kind: last[0], rule: last[1] };
}
