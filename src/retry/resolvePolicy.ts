import { UsageError } from '../request/errors/UsageError.js';
import { policies } from './policies.js';
import type { RetryPolicy, RetryPolicyInput, RetryRule } from './RetryPolicy.js';

/** A policy in which nothing is missing, and what belongs to its use. */
export type ResolvedPolicy<T> = RetryPolicyInput<T> & RetryPolicy;

/**
 * A whole policy: what is missing comes from `policies.standard`.
 *
 * @throws UsageError for nonsense, which would otherwise show at the first failure only
 */
export function resolvePolicy<T>(input: RetryPolicyInput<T> = {}): ResolvedPolicy<T> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const policy = { ...policies.standard, ...Object.fromEntries(given) } as ResolvedPolicy<T>;
  const { rules, deadline, timeout, maxHint, random } = policy;
  for (const [name, value] of Object.entries({ deadline, timeout, maxHint })) {
    check(value > 0, name, value, 'milliseconds above 0, or Infinity for none');
  }
  check(typeof random === 'function', 'random', random, 'a function that gives numbers from 0 up to 1');
  const firsts = Object.entries(rules).flatMap(([kind, rule]) => checkRule(`rules.${kind}`, rule));
  const soonest = Math.min(...firsts);
  check(
    firsts.length === 0 || deadline >= soonest,
    'deadline',
    deadline,
    `at least ${soonest}, the first backoff (on average): no retry would fit, and retries: 0 says so more plainly`,
  );
  return policy;
}

/** The first backoff on average, if the rule retries at all. */
function checkRule(place: string, { matches, retries, backoff, hint, cap = 0, spread = 0 }: RetryRule): number[] {
  check(typeof matches === 'function', `${place}.matches`, matches, 'a function of the failure');
  check(
    retries >= 0 && (retries === Infinity || Number.isInteger(retries)),
    `${place}.retries`,
    retries,
    'a whole number, 0 or more, or Infinity',
  );
  check(['capped', 'minimum'].includes(hint), `${place}.hint`, hint, `'capped' or 'minimum'`);
  check(cap >= 0 && cap < Infinity, `${place}.cap`, cap, 'milliseconds, 0 or more');
  check(spread >= 0 && spread <= 1, `${place}.spread`, spread, 'a share from 0 to 1');
  check(typeof backoff === 'function', `${place}.backoff`, backoff, 'a function, exponential({ base: 1000, cap: 60_000 }) say');
  const first = backoff({ index: 0, previous: undefined, random: () => 0.5 });
  check(isDelay(first), `the first delay of ${place}.backoff`, first, 'a backoff that returns milliseconds, 0 or more');
  return retries > 0 ? [first] : [];
}

/** Whether a number can be waited for: finite and not negative. */
export function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Infinity;
}

function check(holds: boolean, place: string, value: unknown, remedy: string): void {
  if (!holds) throw new UsageError(`Retry policy: ${place} is ${String(value)}; give ${remedy}`);
}
