import { isObservable } from 'rxjs';
import { checkKeys } from '../request/checkKeys.js';
import { isObject } from '../request/guards.js';
import { requireThat } from '../request/requireThat.js';
import { standard } from './standard.js';
import type { RetryPolicy, RetryPolicyInput, RetryRule } from './RetryPolicy.js';

const RULE_KEYS: readonly string[] = [
  'matches',
  'retries',
  'backoff',
  'sources',
  'hint',
  'cap',
  'spread',
  'replay',
] satisfies (keyof RetryRule)[];
const PLAIN_KEYS = ['rules', 'deadline', 'timeout', 'maxHint', 'offline', 'random', 'classify'] satisfies (keyof RetryPolicy)[];
const OWN_KEYS = ['retries', 'abort$', 'signal', 'notify', 'request', 'isProgress', 'resume'] satisfies (keyof RetryPolicyInput)[];
const POLICY_KEYS: readonly string[] = [...PLAIN_KEYS, ...OWN_KEYS];
/** Names that other libraries have for a policy's numbers, and fields of a rule, with their place here. */
const ELSEWHERE = {
  count: 'retries',
  maxRetries: 'retries',
  attempts: 'retries, one less',
  delay: 'rules.throttled.backoff',
};

/** A policy in which nothing is missing, and the options of its use. */
export type ResolvedPolicy<T> = Omit<RetryPolicyInput<T>, 'retries'> & RetryPolicy;

/**
 * A whole policy: fields that are missing come from `policies.standard`. A number is the retries of each rule.
 *
 * @throws UsageError for nonsense, which would otherwise show at the first failure only
 */
export function resolvePolicy<T>(given: RetryPolicyInput<T> | number = {}): ResolvedPolicy<T> {
  const input: RetryPolicyInput<T> = typeof given === 'number' ? { retries: given } : given;
  check(isObject(input), 'it', input, 'a number of retries, or an object, { ...policies.api } say');
  checkKeys(() => 'Retry policy', input, POLICY_KEYS, ELSEWHERE);
  const set = Object.entries(input).filter(([, value]) => value !== undefined);
  // The usual case, which a source that is made for each request meets as often.
  if (set.length === 0) return standard;
  const { retries, ...fields } = Object.fromEntries(set) as typeof input;
  const whole = { ...standard, ...fields } as ResolvedPolicy<T>;
  const policy = retries === undefined ? whole : { ...whole, rules: withRetries(whole.rules, retries) };
  const { rules, deadline, timeout, maxHint, offline, random, notify, classify, isProgress, resume, abort$, signal, request } = policy;
  for (const [name, value] of Object.entries({ deadline, timeout, maxHint })) {
    check(value > 0, name, value, 'milliseconds above 0, or Infinity for none');
  }
  check(offline === undefined || ['wait', 'send'].includes(offline), 'offline', offline, `'wait' or 'send'`);
  check(typeof random === 'function', 'random', random, 'a function that gives numbers from 0 up to 1');
  for (const [name, hook] of Object.entries({ classify, isProgress, resume })) {
    check(hook === undefined || typeof hook === 'function', name, hook, 'a function');
  }
  check(
    notify === undefined || typeof notify === 'function' || (isObject(notify) && 'next' in notify),
    'notify',
    notify,
    'a function or an observer',
  );
  check(abort$ === undefined || isObservable(abort$), 'abort$', abort$, 'an observable');
  check(
    signal === undefined || typeof (signal as Partial<AbortSignal>).addEventListener === 'function',
    'signal',
    signal,
    'an AbortSignal',
  );
  check(request === undefined || isObject(request), 'request', request, "the request's { method, headers }");
  check(isRecord(rules), 'rules', rules, "an object of rules, { ...policies.standard.rules } say; its keys become the events' kinds");
  const firsts = Object.entries(rules).flatMap(([kind, rule]) => checkOnce(`rules.${kind}`, rule));
  const soonest = Math.min(...firsts);
  check(
    firsts.length === 0 || deadline >= soonest,
    'deadline',
    deadline,
    `at least ${soonest}, the first backoff (on average): no retry would fit, and retries: 0 says so more plainly`,
  );
  return policy;
}

function withRetries(rules: RetryPolicy['rules'], retries: number): RetryPolicy['rules'] {
  checkRetries('retries', retries);
  return isRecord(rules) ? Object.fromEntries(Object.entries(rules).map(([kind, rule]) => [kind, { ...rule, retries }])) : rules;
}

function checkRetries(place: string, retries: number): void {
  check(retries >= 0 && (retries === Infinity || Number.isInteger(retries)), place, retries, 'a whole number, 0 or more, or Infinity');
}

/** Findings of {@link checkRule} about rules that cannot change any more: those of `policies`, mostly. */
const checked = new WeakMap<RetryRule, readonly number[]>();

function checkOnce(place: string, rule: RetryRule): readonly number[] {
  const found = checked.get(rule) ?? checkRule(place, rule);
  if (Object.isFrozen(rule)) checked.set(rule, found);
  return found;
}

/** The first backoff on average, if the rule retries at all. */
function checkRule(place: string, rule: RetryRule): number[] {
  check(isObject(rule), place, rule, 'a rule');
  checkKeys(() => `Retry policy: ${place}`, rule, RULE_KEYS);
  const { matches, retries, backoff, hint, cap = 0, spread = 0, sources = {}, replay } = rule;
  check(typeof matches === 'function', `${place}.matches`, matches, 'a function of the failure');
  checkRetries(`${place}.retries`, retries);
  check(['capped', 'minimum'].includes(hint), `${place}.hint`, hint, `'capped' or 'minimum'`);
  check(typeof cap === 'number' && cap >= 0, `${place}.cap`, cap, 'milliseconds, 0 or more, or Infinity for none');
  check(spread >= 0 && spread <= 1, `${place}.spread`, spread, 'a share from 0 to 1');
  check(['any', 'idempotent'].includes(replay), `${place}.replay`, replay, `'any' or 'idempotent'`);
  check(isRecord(sources), `${place}.sources`, sources, 'an object of delay sources, { retryAfter: delaySources.retryAfter } say');
  for (const [name, source] of Object.entries(sources)) {
    check(typeof source === 'function', `${place}.sources.${name}`, source, 'a delay source, delaySources.retryAfter say');
  }
  check(typeof backoff === 'function', `${place}.backoff`, backoff, 'a function, exponential({ base: 1000, cap: 60_000 }) say');
  const first = firstDelay(backoff);
  if (first === undefined) return [];
  check(isDelay(first), `the first delay of ${place}.backoff`, first, 'a backoff that returns milliseconds, 0 or more');
  return retries > 0 ? [first] : [];
}

// One that throws is heard of when it is needed, as every hook that throws.
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

/** Whether a number can be waited for: finite and not negative. */
export function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Infinity;
}

function check(holds: boolean, place: string, value: unknown, remedy: string): void {
  requireThat(holds, 'Retry policy', place, value, remedy);
}
