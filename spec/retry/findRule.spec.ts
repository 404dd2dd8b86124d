import { describe, expect, it } from 'vitest';
import { policies, type RetryRule } from 'coldfetch';
import { findRule, lastRule } from '../../src/retry/findRule.js';
import { readFailure } from '../../src/retry/readFailure.js';

const { throttled, transient } = policies.standard.rules;
const failed = (status: number) => readFailure({ status, headers: new Headers() });

describe('findRule', () => {
  it('finds the first rule that takes the failure, and its name', () => {
    const all: RetryRule = { ...transient, matches: () => true };
    expect(findRule({ rules: { throttled, all } }, failed(429))).toEqual({ kind: 'throttled', rule: throttled });
    expect(findRule({ rules: { all, throttled } }, failed(429))).toEqual({ kind: 'all', rule: all });
  });

  it('finds none for a failure that no rule takes', () => {
    expect(findRule(policies.standard, failed(404))).toBeUndefined();
    expect(findRule({ rules: {} }, failed(429))).toBeUndefined();
  });

  it('throws the error of a matches that throws', () => {
    const matches = (): never => {
      throw new RangeError('no idea');
    };
    expect(() => findRule({ rules: { broken: { ...throttled, matches } } }, failed(429))).toThrow(RangeError);
  });
});

describe('lastRule', () => {
  it('is the one to which a retry falls that a hook asks for', () => {
    expect(lastRule(policies.standard)).toEqual({ kind: 'transient', rule: transient });
    expect(lastRule({ rules: {} })).toBeUndefined();
  });
});
