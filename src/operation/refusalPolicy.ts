import type { RefusalPolicy } from '../pace/queue/AdmittedOperation.js';
import { computeDelay } from '../retry/computeDelay.js';
import { findRule, isReplayable, type NamedRule } from '../retry/rules.js';
import type { RetryPolicy } from '../retry/RetryPolicy.js';
import type { OperationLog } from './OperationLog.js';

/** A policy in the form that a limiter asks: the rule that takes 429s, if there is one. */
export function refusalPolicy(policy: RetryPolicy, log: OperationLog): RefusalPolicy | undefined {
  const { kind, rule } = throttlingRule(policy) ?? {};
  if (kind === undefined || rule === undefined) return undefined;
  const { maxHint, random } = policy;
  return {
    kind,
    rule,
    maxHint,
    retries: () => log.counters.of(kind).retries,
    isReplayable: (method) =>
      isReplayable(rule, { error: undefined, type: 'response', request: log.failed?.failure.request ?? { method } }),
    delayAfter: (asked, { left, index }) => computeDelay(rule, log.counters.of(kind).previous, asked, { left, index, random }),
  };
}

function throttlingRule(policy: RetryPolicy): NamedRule | undefined {
  try {
    return findRule(policy, { error: undefined, type: 'response', status: 429 });
  } catch {
    // A function that throws does so again when it is asked about a failure, and ends the operation there.
    return undefined;
  }
}
