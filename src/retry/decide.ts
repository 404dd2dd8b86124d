import type { GiveUpReason } from '../request/HttpEvent.js';
import type { Pacing } from '../request/tokens.js';
import type { Failure } from './Failure.js';
import { isReplayable } from './isReplayable.js';
import { type Plan, planWait, type Tally } from './planWait.js';
import type { ResolvedPolicy } from './resolvePolicy.js';
import type { Verdict } from './RetryPolicy.js';

/** What is known when an attempt has failed. */
export interface Situation {
  readonly failure: Failure;
  readonly verdict: Verdict;
  /** Each rule's own counter, kept for the operation. */
  readonly tallies: Map<string, Tally>;
  /** What pace said of the attempt. */
  readonly pacing: Pacing;
  /** Whether output has been passed on. */
  readonly output: boolean;
  /** Milliseconds until the deadline. */
  readonly left: number;
  /** The wall clock. */
  readonly now: number;
}

/** What is done about a failure: give up, send again at once (the gate waits), or wait first. */
export type Decision =
  | { readonly then: 'give-up'; readonly reason: GiveUpReason; readonly kind?: string }
  | { readonly then: 'send'; readonly kind: string }
  | { readonly then: 'wait'; readonly kind: string; readonly plan: Plan };

/** Applies a policy's rules to a failure, and counts the retry if there is one. Throws what a hook throws. */
export function decide<T>(policy: ResolvedPolicy<T>, situation: Situation): Decision {
  const { failure, verdict, tallies, pacing, output, left, now } = situation;
  const rules = Object.entries(policy.rules);
  // A retry that a hook asks for falls to the last rule: the one for failures that the server may have acted on.
  const spare = verdict === 'retry' ? rules.at(-1) : undefined;
  const found = verdict === 'terminal' ? undefined : (rules.find(([, rule]) => rule.matches(failure)) ?? spare);
  if (!found) return { then: 'give-up', reason: 'terminal' };
  const [kind, rule] = found;
  const giveUp = (reason: GiveUpReason): Decision => ({ then: 'give-up', reason, kind });
  if (output && !policy.resume) return giveUp('partial-output');
  if (!isReplayable(rule, failure)) return giveUp('not-replayable');
  const tally = tallies.get(kind) ?? { retries: 0, previous: undefined, zero: false };
  tallies.set(kind, tally);
  // The request by which the gate looked whether it may open uses no count.
  if (pacing.gate === 'opening') return { then: 'send', kind };
  if (tally.retries >= rule.retries) return giveUp('exhausted');
  if (pacing.gate === 'owned') {
    tally.retries++;
    return { then: 'send', kind };
  }
  const plan = planWait(rule, tally, failure, { left, now, random: policy.random });
  if (plan.hint !== undefined && plan.hint > policy.maxHint) return giveUp('max-hint');
  if (plan.minimum >= left) return giveUp('deadline');
  tally.retries++;
  return { then: 'wait', kind, plan };
}
