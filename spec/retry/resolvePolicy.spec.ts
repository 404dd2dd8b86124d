import { describe, expect, it } from 'vitest';
import { createClient, exponential, policies, retryAfter, type RetryPolicyInput, type RetryRule, UsageError } from 'coldfetch';
import { resolvePolicy } from '../../src/retry/resolvePolicy.js';

const { throttled } = policies.standard.rules;
const rule = (changes: Partial<Record<keyof RetryRule, unknown>>): unknown => ({ rules: { mine: { ...throttled, ...changes } } });

describe('a policy of nonsense', () => {
  it.each<[string, unknown]>([
    ['it is null; give a number of retries, or an object, { ...policies.api } say', null],
    ['it is true; give a number of retries, or an object', true],
    ['it is standard; give a number of retries, or an object', 'standard'],
    ['retries is -1; give a whole number, 0 or more, or Infinity', -1],
    ['retries is 1.5; give a whole number', 1.5],
    ['retries is NaN; give a whole number', Number.NaN],
    ['retries is -1; give a whole number', { retries: -1 }],
    ['retries is 3; give a whole number', { retries: '3' }],
    ['retries is null; give a whole number', { retries: null }],
    ['deadline is -1', { deadline: -1 }],
    ['deadline is NaN', { deadline: Number.NaN }],
    ['deadline is 0', { deadline: 0 }],
    ['timeout is NaN', { timeout: Number.NaN }],
    ['maxHint is -5', { maxHint: -5 }],
    ['random is 0.5', { random: 0.5 }],
    ['notify is log', { notify: 'log' }],
    ['classify is 5', { classify: 5 }],
    ['isProgress is true', { isProgress: true }],
    ['resume is 5', { resume: 5 }],
    ['abort$ is 5', { abort$: 5 }],
    ['signal is 5', { signal: 5 }],
    ['rules is null', { rules: null }],
    ['rules.mine: the argument is null', { rules: { mine: null } }],
    ['rules.mine: retries is -1', rule({ retries: -1 })],
    ['rules.mine: retries is 1.5', rule({ retries: 1.5 })],
    ['rules.mine: retries is NaN', rule({ retries: Number.NaN })],
    ['rules.mine: hint is about', rule({ hint: 'about' })],
    ['rules.mine: cap is -1', rule({ cap: -1 })],
    ['rules.mine: spread is 2', rule({ spread: 2 })],
    ['rules.mine: replay is all', rule({ replay: 'all' })],
    ['rules.mine: matches is 429', rule({ matches: 429 })],
    ['rules.mine.sources.retryAfter is 3', rule({ sources: { retryAfter: 3 } })],
    ['rules.mine: backoff is 1000', rule({ backoff: 1000 })],
    ['rules.mine.backoff is NaN', rule({ backoff: () => Number.NaN })],
    ['rules.mine.backoff is -1', rule({ backoff: () => -1 })],
    ['count is unknown; say it as retries', { count: 3 }],
    ['maxRetries is unknown; say it as retries', { maxRetries: 3 }],
    ['attempts is unknown; say it as retries, one less', { attempts: 3 }],
    ['rules.mine: count is unknown; there are matches, retries', rule({ count: 1 } as object)],
    ['rules is null', { rules: null, retries: 2 }],
    ['delay is unknown; say it as rules.throttled.backoff', { delay: 1000 }],
    ['dedline is unknown; there are rules, deadline, timeout', { dedline: 5 }],
    ['rules.mine: retires is unknown; there are matches, retries', rule({ retires: 1 } as object)],
    ['rules is ', { rules: [] }],
    ['rules.mine: sources is ', rule({ sources: [() => 5] })],
    ['rules.mine: cap is null', rule({ cap: null })],
    ['request is 5', { request: 5 }],
    ['deadline is 5; give at least 1000, the first backoff (on average): no retry would fit', { ...policies.upload, deadline: 5 }],
    ['deadline is 5', { retries: 2, deadline: 5 }],
  ])('fails at construction, told in one line: %s', (problem, policy) => {
    const make = (): unknown => retryAfter(policy as RetryPolicyInput);
    expect(make).toThrow(UsageError);
    expect(make).toThrow(problem.replace(/^rules.mine.backoff is (NaN|-1)$/, 'the first delay of rules.mine.backoff is $1'));
    expect(make).not.toThrow(/\n/);
  });

  it('fails at the construction of a client, too', () => {
    for (const retry of [{ deadline: -1 }, { retries: -1 }, -1, 1.5, NaN]) expect(() => createClient({ retry })).toThrow(UsageError);
  });
});

describe('retries', () => {
  const retriesOf = ({ rules }: ReturnType<typeof resolvePolicy>) => Object.entries(rules).map(([kind, { retries }]) => [kind, retries]);

  it.each<[string, RetryPolicyInput | number]>([
    ['a number alone', 2],
    ['a field', { retries: 2 }],
  ])('are those of each rule: %s', (_, input) => {
    const resolved = resolvePolicy(input);
    expect(retriesOf(resolved)).toEqual([
      ['throttled', 2],
      ['transient', 2],
    ]);
    expect('retries' in resolved).toBe(false);
  });

  it('change nothing else of a policy', () => {
    const { rules, ...rest } = resolvePolicy({ ...policies.api, retries: 7 });
    const { rules: own, ...asBefore } = policies.api;
    expect(rest).toEqual(asBefore);
    expect(rules).toEqual({ retryable: { ...own.retryable, retries: 7 } });
    expect(own.retryable.retries).toBe(3);
  });

  it('may be none, and endless', () => {
    expect([0, Infinity].map((retries) => retriesOf(resolvePolicy(retries)).map(([, each]) => each))).toEqual([
      [0, 0],
      [Infinity, Infinity],
    ]);
  });

  it('are those of the rules where the field is undefined', () => {
    expect(resolvePolicy({ retries: undefined }).rules).toBe(policies.standard.rules);
  });

  it('let a policy have a deadline shorter than its backoff, if there are none', () => {
    expect(() => resolvePolicy({ ...policies.upload, retries: 0, deadline: 5 })).not.toThrow();
  });
});

describe('a policy', () => {
  it.each<[string, RetryPolicyInput | number]>([
    ['nothing', {}],
    ['a number of retries', 2],
    ['no rules', { rules: {} }],
    ['no rules, and a number of retries', { rules: {}, retries: 2 }],
    ['fields that are undefined', { deadline: undefined, abort$: undefined } as unknown as RetryPolicyInput],
    ['no cap', rule({ cap: Infinity }) as RetryPolicyInput],
    ['endless retries', rule({ retries: Infinity }) as RetryPolicyInput],
    ['no retries under a short deadline', { ...(rule({ retries: 0, backoff: exponential({ base: 1000 }) }) as object), deadline: 5 }],
    ['an observer to notify', { notify: { next: () => undefined } }],
    ['a part of another', { ...policies.api, deadline: 10_000 }],
  ])('may be %s', (_, policy) => {
    expect(() => retryAfter(policy)).not.toThrow();
  });

  it('is frozen in its depth', () => {
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(policies)).toBe(true);
  });

  it.each(Object.entries(policies))('%s stands the check', (_, policy) => {
    expect(() => retryAfter(policy)).not.toThrow();
  });
});
