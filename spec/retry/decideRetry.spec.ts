import { describe, expect, it } from 'vitest';
import { exponential, type RetryPolicyInput, type RetryRule } from 'coldfetch';
import { type RuleCounter, UNUSED } from '../../src/retry/rules.js';
import { decideRetry, type Situation } from '../../src/retry/decideRetry.js';
import { readFailure } from '../../src/retry/readFailure.js';
import { resolvePolicy } from '../../src/retry/resolvePolicy.js';

const rule = (changes: Partial<RetryRule> = {}): RetryRule => ({
  matches: () => true,
  retries: 2,
  backoff: exponential({ base: 1000, cap: 60_000 }),
  hint: 'minimum',
  replay: 'any',
  ...changes,
});
const throttled = { kind: 'throttled', rule: rule() };
const transient = { kind: 'transient', rule: rule({ replay: 'idempotent' }) };

/** A delay that the server asks for, in seconds. */
const asked = (seconds: number) => ({ delay: seconds * 1000, source: 'retryAfter' });

/** A failure of a request of that method. */
function failed(status: number, method = 'GET') {
  return readFailure({ status, headers: new Headers() }, { method });
}

/** The decision about a 429, unless `changes` say otherwise. */
function decided(changes: Partial<Situation>, policy: RetryPolicyInput = {}) {
  return decideRetry(resolvePolicy(policy), {
    failure: failed(429),
    found: throttled,
    state: UNUSED,
    hint: undefined,
    index: 0,
    counted: true,
    spent: false,
    partial: false,
    left: Infinity,
    ...changes,
  });
}

describe('decideRetry', () => {
  it('retries by the rule that takes the failure, after the delay that the server asks for', () => {
    expect(decided({ hint: asked(3) })).toMatchObject({ then: 'retry', kind: 'throttled', delay: { delay: 3000, source: 'retryAfter' } });
    expect(decided({ found: transient, hint: asked(3) })).toMatchObject({ then: 'retry', kind: 'transient' });
  });

  it('retries by the rule’s own backoff, at the given index, where the server asks for none', () => {
    expect(decided({ index: 2 })).toMatchObject({ then: 'retry', delay: { delay: 4000, source: 'backoff' } });
  });

  it('counts retries in the state that it returns, and gives up when the rule’s are used up', () => {
    let state: RuleCounter = UNUSED;
    const outcomes = [1, 2, 3].map(() => {
      const decision = decided({ state });
      if (decision.then === 'retry') state = decision.state;
      return decision;
    });
    expect(outcomes).toMatchObject([
      { then: 'retry', state: { retries: 1 } },
      { then: 'retry', state: { retries: 2 } },
      { then: 'give-up', reason: 'exhausted', kind: 'throttled' },
    ]);
  });

  it('changes nothing of the state that it is given', () => {
    const state = Object.freeze({ ...UNUSED });
    expect(decided({ state })).toMatchObject({ state: { retries: 1 } });
    expect(state).toEqual(UNUSED);
  });

  it('keeps the last draw of the rule’s own backoff, over hints too', () => {
    const first = decided({});
    expect(first).toMatchObject({ state: { previous: 1000 } });
    const state = { ...UNUSED, previous: 1000 };
    expect(decided({ state, hint: asked(3) })).toMatchObject({ state: { previous: 1000 } });
  });

  it.each<[string, Partial<Situation>, RetryPolicyInput, object]>([
    ['a failure that no rule takes', { failure: failed(404), found: undefined }, {}, { reason: 'terminal' }],
    ['output that cannot be taken back', { partial: true }, {}, { reason: 'partial-output', kind: 'throttled' }],
    [
      'a write whose fate is unknown',
      { failure: failed(503, 'POST'), found: transient },
      {},
      { reason: 'not-replayable', kind: 'transient' },
    ],
    ['a rule without retries', { found: { kind: 'none', rule: rule({ retries: 0 }) } }, {}, { reason: 'exhausted', kind: 'none' }],
    ['a count that those who wait together have used up', { spent: true }, {}, { reason: 'exhausted', kind: 'throttled' }],
    ['a hint beyond the longest', { hint: asked(61) }, { maxHint: 60_000 }, { reason: 'max-hint', kind: 'throttled' }],
    ['a hint that the deadline cuts', { hint: asked(61), left: 61_000 }, {}, { reason: 'deadline', kind: 'throttled' }],
    ['a backoff that the deadline cuts', { left: 1000 }, {}, { reason: 'deadline', kind: 'throttled' }],
  ])('gives up on %s', (_, situation, policy, outcome) => {
    expect(decided(situation, policy)).toEqual({ then: 'give-up', ...outcome });
  });

  it('retries a write that carries an idempotency key', () => {
    const failure = readFailure(
      { status: 503, headers: new Headers() },
      { method: 'POST', headers: new Headers({ 'idempotency-key': 'a' }) },
    );
    expect(decided({ failure, found: transient })).toMatchObject({ then: 'retry', kind: 'transient' });
  });

  it('retries after a hint that fits in what is left by a millisecond', () => {
    expect(decided({ hint: asked(61), left: 61_001 })).toMatchObject({ then: 'retry' });
  });

  it('trims the spread to the deadline, which it never decides', () => {
    const found = { kind: 'throttled', rule: rule({ spread: 0.1, backoff: () => 0 }) };
    expect(decided({ found, hint: asked(10), left: 10_200 }, { random: () => 0.5 })).toMatchObject({
      then: 'retry',
      delay: { delay: 10_199, minimum: 10_000 },
    });
  });

  it('obeys a hint as long as the longest', () => {
    expect(decided({ hint: asked(60) }, { maxHint: 60_000 })).toMatchObject({ then: 'retry' });
  });

  it('holds a hint that is capped to the longest as well: it is the server’s delay that counts', () => {
    const found = { kind: 'throttled', rule: rule({ hint: 'capped', cap: 5000 }) };
    expect(decided({ found, hint: asked(61) }, { maxHint: 60_000 })).toMatchObject({ then: 'give-up', reason: 'max-hint' });
  });

  describe('about a failure that uses up no retry', () => {
    it('counts nothing, however often', () => {
      let state: RuleCounter = UNUSED;
      for (let n = 0; n < 10; n++) {
        const decision = decided({ state, counted: false, hint: asked(60) });
        expect(decision).toMatchObject({ then: 'retry', kind: 'throttled' });
        if (decision.then === 'retry') state = decision.state;
      }
      expect(state.retries).toBe(0);
    });

    it('goes on where the retries are used up', () => {
      expect(decided({ state: { ...UNUSED, retries: 2 }, counted: false })).toMatchObject({ then: 'retry', state: { retries: 2 } });
    });

    it('gives up all the same where the deadline cannot be kept', () => {
      expect(decided({ counted: false, hint: asked(60), left: 60_000 })).toMatchObject({ then: 'give-up', reason: 'deadline' });
    });
  });

  it('asks what speaks against a retry before it draws a backoff', () => {
    let draws = 0;
    const backoff = (): number => ++draws;
    for (const changes of [{ partial: true }, { spent: true }, { state: { ...UNUSED, retries: 2 } }]) {
      expect(decided({ ...changes, found: { kind: 'throttled', rule: rule({ backoff }) } }).then).toBe('give-up');
    }
    expect(draws).toBe(0);
  });

  it('lets what a backoff throws through', () => {
    const backoff = (): never => {
      throw new RangeError('no backoff');
    };
    expect(() => decided({ found: { kind: 'throttled', rule: rule({ backoff }) } })).toThrow(RangeError);
  });
});
