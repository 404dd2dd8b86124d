import type { Refusal } from '../pace/Limiter.js';
import { DeadlineError } from '../request/errors/DeadlineError.js';
import { LimiterError } from '../request/errors/LimiterError.js';
import { formatDuration } from '../request/formatDuration.js';
import { computeDelay, type Hint, type RetryDelay } from '../retry/computeDelay.js';
import { findRule, type NamedRule } from '../retry/findRule.js';
import type { RetryPolicy, RetryRule } from '../retry/RetryPolicy.js';
import { elapsed } from '../time.js';
import type { OperationLog } from './OperationLog.js';

/** The wait behind a gate, as a policy takes it. */
export interface PlannedWait {
  /** Moment from which the request may be sent. */
  readonly until: number;
  readonly delay: RetryDelay;
}

/** An operation's own plan of its wait at a gate: its policy, applied to the refusals that close the gate. */
export class GatePlan {
  readonly #policy: RetryPolicy;
  readonly #log: OperationLog;
  /** Waits by refusal. One that is over stays: it is waited once, whatever becomes of the request that follows. */
  #waits: WeakMap<Refusal, PlannedWait> | undefined;
  #planned: PlannedWait | undefined;

  constructor(policy: RetryPolicy, log: OperationLog) {
    this.#policy = policy;
    this.#log = log;
  }

  /** The rule that takes 429s, if the policy has one. */
  get throttled(): NamedRule | undefined {
    return throttlingRule(this.#policy);
  }

  /** Name of the rule among all: operations of one rule wait for the same time. */
  get lane(): string {
    const { throttled } = this;
    return throttled ? laneOf(throttled.rule) : '';
  }

  /** The wait as planned last, until the request is sent. */
  get planned(): PlannedWait | undefined {
    return this.#planned;
  }

  /** Takes over the plan of the request that was refused. */
  adopt(refusal: Refusal, { rule }: NamedRule, delay: RetryDelay): void {
    this.#remember(refusal, { until: momentOf(refusal, rule.hint, delay), delay });
  }

  /** The request is sent. */
  clear(): void {
    this.#planned = undefined;
  }

  /**
   * Moment from which the request may be sent after a refusal: its own, or that of a request that shares the gate.
   *
   * @throws LimiterError or DeadlineError where the policy ends the operation instead
   */
  momentAfter(refusal: Refusal): number {
    return (this.#waits?.get(refusal) ?? this.#remember(refusal, this.#plan(refusal))).until;
  }

  #remember(refusal: Refusal, wait: PlannedWait): PlannedWait {
    this.#waits ??= new WeakMap();
    this.#waits.set(refusal, wait);
    return (this.#planned = wait);
  }

  #plan(refusal: Refusal): PlannedWait {
    const { maxHint, random } = this.#policy;
    const { kind, rule } = this.throttled ?? { kind: '', rule: undefined };
    const hint = hintOf(refusal);
    const cause = refusal.answer.error;
    const now = elapsed();
    if (!rule) return { until: refusal.until, delay: { ...NO_DELAY, delay: refusal.until - now } };
    const state = this.#log.stateOf(kind);
    if (rule.retries > 0 && refusal.run >= rule.retries) {
      throw new LimiterError(
        `The server refused ${refusal.run} probes in a row, as many as the policy's ${rule.retries} retries for ${kind}`,
        {
          reason: 'exhausted',
          cause,
        },
      );
    }
    if (hint && hint.delay > maxHint) {
      const message = `The server asks to wait ${formatDuration(hint.delay)}, longer than the policy's maxHint (${formatDuration(maxHint)}); raise it to wait that long`;
      throw new LimiterError(message, { reason: 'max-hint', cause });
    }
    const left = this.#log.deadline - now;
    const index = Math.max(state.retries, refusal.refusals - 1);
    const delay = computeDelay(rule, state.previous, hint, { left: left + now - refusal.at, index, random });
    if (refusal.at + delay.minimum - now >= left) {
      const message = `The deadline cannot be kept: the gate opens in ${formatDuration(refusal.at + delay.minimum - now)}, and ${formatDuration(left)} are left`;
      throw new DeadlineError(message, { cause });
    }
    return { until: momentOf(refusal, rule.hint, delay), delay };
  }
}

const NO_DELAY: RetryDelay = { delay: 0, minimum: 0, hint: undefined, source: 'gate', capped: false, backoff: undefined };

const lanes = new WeakMap<RetryRule, string>();
const laneCount = { last: 0 };

function laneOf(rule: RetryRule): string {
  let lane = lanes.get(rule);
  if (lane === undefined) lanes.set(rule, (lane = String(++laneCount.last)));
  return lane;
}

const throttlingRules = new WeakMap<RetryPolicy['rules'], NamedRule | 'none'>();

function throttlingRule({ rules }: RetryPolicy): NamedRule | undefined {
  let rule = throttlingRules.get(rules);
  if (!rule) throttlingRules.set(rules, (rule = findThrottlingRule(rules) ?? 'none'));
  return rule === 'none' ? undefined : rule;
}

function findThrottlingRule(rules: RetryPolicy['rules']): NamedRule | undefined {
  try {
    return findRule({ rules }, { error: undefined, type: 'response', status: 429 });
  } catch {
    // The function throws again when it is asked about a failure, and ends the operation there.
    return undefined;
  }
}

/** The delay that a refusal asks for, where it counts. */
export function hintOf({ delay, source = 'retryAfter', binding }: Refusal): Hint | undefined {
  return delay === undefined ? undefined : { delay, source, binding };
}

function momentOf({ at, until, binding }: Refusal, hint: 'capped' | 'minimum', { delay }: RetryDelay): number {
  return binding || hint === 'minimum' ? Math.max(until, at + delay) : at + delay;
}
