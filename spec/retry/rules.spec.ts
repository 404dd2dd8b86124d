import { policies, type RetryRule } from 'coldfetch';
import { describe, expect, it } from 'vitest';
import type { FailedRequest } from '../../src/retry/Failure.js';
import { readFailure } from '../../src/retry/readFailure.js';
import { findRule, isReplayable, lastRule } from '../../src/retry/rules.js';

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

const rule: RetryRule = { matches: () => true, retries: 1, backoff: () => 0, hint: 'minimum', replay: 'any' };
const replayable = (replay: 'any' | 'idempotent', request?: FailedRequest): boolean =>
  isReplayable({ ...rule, replay }, { error: new Error('lost'), type: 'network', request });

describe('isReplayable', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])('takes %s by its method (RFC 9110 section 9.2.2)', (method) => {
    expect(replayable('idempotent', { method })).toBe(true);
  });

  it.each(['POST', 'PATCH', 'PROPFIND'])('takes %s with an idempotency key only', (method) => {
    expect(replayable('idempotent', { method })).toBe(false);
    expect(replayable('idempotent', { method, headers: new Headers({ 'Idempotency-Key': '"a"' }) })).toBe(true);
    expect(replayable('idempotent', { method, headers: new Headers({ 'Idempotency-Key': '' }) })).toBe(false);
  });

  it('takes every method where the rule does', () => {
    expect(replayable('any', { method: 'POST' })).toBe(true);
  });

  it('takes no body that could be sent once, whatever the rule', () => {
    expect(replayable('any', { method: 'PUT', replayable: false })).toBe(false);
  });

  it('takes what nothing is known of: the caller put the operator there', () => {
    expect(replayable('idempotent')).toBe(true);
    expect(replayable('idempotent', {})).toBe(true);
  });
});
