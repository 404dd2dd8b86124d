import { isObservable } from 'rxjs';
import {
  checkOptions,
  FUNCTION,
  isFunction,
  isNotNegative,
  oneOf,
  type OptionRule,
  type OptionTable,
  requireThat,
  TIME_LIMIT,
} from '../request/checkOptions.js';
import { isObject } from '../request/guards.js';
import { known } from '../request/known.js';
import { standard } from './standard.js';
import type { RetryPolicy, RetryPolicyInput, RetryRule } from './RetryPolicy.js';

const RETRIES: OptionRule = [
  (value) => isNotNegative(value) && (value === Infinity || Number.isInteger(value)),
  'a whole number, 0 or more, or Infinity',
];

const RULE: OptionTable<RetryRule> = {
  rules: {
    matches: [isFunction, 'a function of the failure'],
    retries: RETRIES,
    backoff: [isFunction, 'a function, exponential({ base: 1000, cap: 60_000 }) say'],
    sources: [isRecord, 'an object of delay sources, { retryAfter: delaySources.retryAfter } say'],
    hint: /* @__PURE__ */ oneOf('capped', 'minimum'),
    cap: [isNotNegative, 'milliseconds, 0 or more, or Infinity for none'],
    spread: [(value) => isNotNegative(value) && value <= 1, 'a share from 0 to 1'],
    replay: /* @__PURE__ */ oneOf('any', 'idempotent'),
  },
  required: ['matches', 'retries', 'backoff', 'hint', 'replay'],
};

const POLICY: OptionTable<RetryPolicyInput> = {
  rules: {
    rules: [isRecord, "an object of rules, { ...policies.standard.rules } say; its keys become the events' kinds"],
    deadline: TIME_LIMIT,
    timeout: TIME_LIMIT,
    maxHint: TIME_LIMIT,
    offline: /* @__PURE__ */ oneOf('wait', 'send'),
    random: [isFunction, 'a function that gives numbers from 0 up to 1'],
    classify: FUNCTION,
    retries: RETRIES,
    isProgress: FUNCTION,
    resume: FUNCTION,
    notify: [(value) => isFunction(value) || (isObject(value) && 'next' in value), 'a function or an observer'],
    abort$: [isObservable, 'an observable'],
    signal: [(value) => isFunction((Object(value) as Partial<AbortSignal>).addEventListener), 'an AbortSignal'],
    request: [isObject, "the request's { method, headers }"],
  },
  // Names that other libraries use for a policy's numbers, and fields of a rule, with their place here.
  elsewhere: {
    count: 'retries',
    maxRetries: 'retries',
    attempts: 'retries, one less',
    delay: 'rules.throttled.backoff',
  },
};

/** A policy without missing fields, and the options of its use. */
export type ResolvedPolicy<T> = Omit<RetryPolicyInput<T>, 'retries'> & RetryPolicy;

/**
 * A whole policy: missing fields come from `policies.standard`. A number is the retries of each rule.
 *
 * @throws UsageError for nonsense, which would otherwise show at the first failure only
 */
export function resolvePolicy<T>(given: RetryPolicyInput<T> | number = {}): ResolvedPolicy<T> {
  const input: RetryPolicyInput<T> = typeof given === 'number' ? { retries: given } : given;
  requireThat(isObject(input), 'Retry policy', 'it', input, 'a number of retries, or an object, { ...policies.api } say');
  checkOptions('Retry policy', input, POLICY);
  const { retries, ...fields } = known(input);
  // The usual case: a source that is made for each request meets it each time.
  if (retries === undefined && Object.keys(fields).length === 0) return standard;
  const whole = { ...standard, ...fields } as ResolvedPolicy<T>;
  const policy = retries === undefined ? whole : { ...whole, rules: withRetries(whole.rules, retries) };
  const { rules, deadline } = policy;
  const firsts = Object.entries(rules).flatMap(([kind, rule]) => checkOnce(`rules.${kind}`, rule));
  const soonest = Math.min(...firsts);
  requireThat(
    firsts.length === 0 || deadline >= soonest,
    'Retry policy',
    'deadline',
    deadline,
    `at least ${soonest}, the first backoff (on average): no retry would fit, and retries: 0 says so more plainly`,
  );
  return policy;
}

function withRetries(rules: RetryPolicy['rules'], retries: number): RetryPolicy['rules'] {
  return Object.fromEntries(Object.entries(rules).map(([kind, rule]) => [kind, { ...rule, retries }]));
}

/** Findings of {@link checkRule} about rules that cannot change any more: mostly those of `policies`. */
const checked = new WeakMap<RetryRule, readonly number[]>();

function checkOnce(place: string, rule: RetryRule): readonly number[] {
  const found = checked.get(rule) ?? checkRule(place, rule);
  if (Object.isFrozen(rule)) checked.set(rule, found);
  return found;
}

/** The first backoff on average, if the rule retries at all. */
function checkRule(place: string, rule: RetryRule): number[] {
  checkOptions(`Retry policy: ${place}`, rule, RULE);
  const { retries, backoff, sources = {} } = rule;
  for (const [name, source] of Object.entries(sources)) {
    requireThat(isFunction(source), 'Retry policy', `${place}.sources.${name}`, source, 'a delay source, delaySources.retryAfter say');
  }
  const first = firstDelay(backoff);
  if (first === undefined) return [];
  requireThat(
    isDelay(first),
    'Retry policy',
    `the first delay of ${place}.backoff`,
    first,
    'a backoff that returns milliseconds, 0 or more',
  );
  return retries > 0 ? [first] : [];
}

// A backoff that throws does so again when it is needed, like every hook.
function firstDelay(backoff: RetryRule['backoff']): number | undefined {
  try {
    return backoff({ index: 0, previous: undefined, random: () => 0.5 });
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value);
}

/** True if a number can be waited for: finite and not negative. */
export function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Infinity;
}
