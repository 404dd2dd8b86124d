import type { GiveUpReason } from '../request/HttpEvent.js';
import { computeDelay, type Hint, type RetryDelay } from './computeDelay.js';
import type { Failure } from './Failure.js';
import { isReplayable, type NamedRule, type RuleCounter } from './rules.js';
import type { RetryPolicy } from './RetryPolicy.js';

/** Facts about a failed attempt, on which the decision rests. */
export interface Situation {
  readonly failure: Failure;
  /** The rule that takes the failure, if one does. */
  readonly found: NamedRule | undefined;
  /** State of that rule in this operation. */
  readonly state: RuleCounter;
  /** The server's delay, where it counts. */
  readonly hint: Hint | undefined;
  /** Retry index of the rule's own backoff. */
  readonly index: number;
  /** True if the failure uses up a retry. */
  readonly counted: boolean;
  /** True if the requests that wait together have used up the rule's count. */
  readonly spent: boolean;
  /** True if output has been passed on that cannot be resumed. */
  readonly partial: boolean;
  /** Milliseconds until the deadline. */
  readonly left: number;
}

/** Decision about a failure: give up, or retry after a delay. */
export type Decision =
  | { readonly then: 'give-up'; readonly reason: GiveUpReason; readonly kind?: string }
  | { readonly then: 'retry'; readonly kind: string; readonly delay: RetryDelay; readonly state: RuleCounter };

/** Applies a policy to a failure. Pure; throws what a hook throws. */
export function decideRetry({ maxHint, random }: Pick<RetryPolicy, 'maxHint' | 'random'>, situation: Situation): Decision {
  const { failure, found, state, hint, index, counted, spent, partial, left } = situation;
  if (!found) return { then: 'give-up', reason: 'terminal' };
  const { kind, rule } = found;
  const giveUp = (reason: GiveUpReason): Decision => ({ then: 'give-up', reason, kind });
  if (partial) return giveUp('partial-output');
  if (!isReplayable(rule, failure)) return giveUp('not-replayable');
  if (spent || (counted && state.retries >= rule.retries)) return giveUp('exhausted');
  const delay = computeDelay(rule, state.previous, hint, { left, index, random });
  if (delay.hint !== undefined && delay.hint > maxHint) return giveUp('max-hint');
  if (delay.minimum >= left) return giveUp('deadline');
  const retries = state.retries + (counted ? 1 : 0);
  return { then: 'retry', kind, delay, state: { ...state, retries, previous: delay.backoff ?? state.previous } };
}
