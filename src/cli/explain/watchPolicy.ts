import type { DelaySource } from '../../headers/DelaySource.js';
import type { BackoffDraw } from '../../retry/backoff/Backoff.js';
import type { RetryPolicy, RetryRule } from '../../retry/RetryPolicy.js';

/** Results of a policy's own functions since the last look. */
export interface Observed {
  /** The rule's own backoff, in ms, if it was drawn. */
  backoff?: number;
  /** The first hint that one of the rule's sources read, in ms. */
  hint?: number;
}

/** A policy that behaves as before, and shows its backoffs and delay sources: the explanation is of the real run. */
export interface WatchedPolicy {
  readonly policy: RetryPolicy;
  /** Results since the last look, by rule. */
  readonly look: () => Readonly<Record<string, Observed>>;
}

/** Wraps the functions of a policy's rules. */
export function watchPolicy(policy: RetryPolicy): WatchedPolicy {
  let observed: Record<string, Observed> = {};
  const of = (kind: string): Observed => (observed[kind] ??= {});
  const watchSource =
    (kind: string, read: DelaySource): DelaySource =>
    (headers, now) => {
      const hint = read(headers, now);
      if (hint !== undefined) of(kind).hint ??= hint;
      return hint;
    };
  const watchRule = (kind: string, rule: RetryRule): RetryRule => ({
    ...rule,
    backoff: (draw: BackoffDraw) => (of(kind).backoff = rule.backoff(draw)),
    ...(rule.sources && { sources: mapValues(rule.sources, (read) => watchSource(kind, read)) }),
  });
  return {
    policy: { ...policy, rules: mapValues(policy.rules, (rule, kind) => watchRule(kind, rule)) },
    look: () => {
      const seen = observed;
      observed = {};
      return seen;
    },
  };
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, change: (value: V, key: string) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
