import { describe, expect, it } from 'vitest';
import { type Backoff, delaySources, exponential, type RetryRule, UsageError } from 'coldfetch';
import { computeDelay, type DelayContext, type Hint, readHint } from '../../src/retry/computeDelay.js';

const rule: RetryRule = {
  matches: () => true,
  retries: 5,
  backoff: exponential({ base: 1000, cap: 60_000 }),
  sources: { retryAfter: delaySources.retryAfter },
  hint: 'minimum',
  replay: 'any',
};
const hintOf = (delay: number): Hint => ({ delay, source: 'retryAfter' });
const headersOf = (retryAfter?: string) => new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });

function compute(hint: Hint | undefined, changes: Partial<RetryRule> = {}, context: Partial<DelayContext> = {}, previous?: number) {
  return computeDelay({ ...rule, ...changes }, previous, hint, { left: Infinity, index: 0, random: () => 0.5, ...context });
}

describe('readHint', () => {
  it('reads the delay that the server asks for, and names the source', () => {
    expect(readHint(rule.sources, headersOf('3'), 0)).toEqual({ delay: 3000, source: 'retryAfter' });
  });

  it('reads the sources in their order, and passes over those that say nothing or nonsense', () => {
    const sources = { nan: () => NaN, negative: () => -1, endless: () => Infinity, none: () => undefined, first: () => 5, second: () => 6 };
    expect(readHint(sources, headersOf('3'), 0)).toEqual({ delay: 5, source: 'first' });
  });

  it('reads dates against the given moment', () => {
    const now = Date.parse('Mon, 04 May 2026 12:00:00 GMT');
    expect(readHint(rule.sources, headersOf('Mon, 04 May 2026 12:00:07 GMT'), now)).toEqual({ delay: 7000, source: 'retryAfter' });
  });

  it('finds none where the field is missing or malformed, where the rule has no sources, and where no answer came', () => {
    expect(readHint(rule.sources, headersOf(), 0)).toBeUndefined();
    expect(readHint(rule.sources, headersOf('soon'), 0)).toBeUndefined();
    expect(readHint(undefined, headersOf('3'), 0)).toBeUndefined();
    expect(readHint(rule.sources, undefined, 0)).toBeUndefined();
  });

  it('lets what a source throws through', () => {
    const broken = (): never => {
      throw new RangeError('no field');
    };
    expect(() => readHint({ broken }, headersOf('3'), 0)).toThrow(RangeError);
  });
});

describe('computeDelay', () => {
  it('waits as the server asks, and names the source', () => {
    expect(compute(hintOf(3000))).toEqual({
      delay: 3000,
      minimum: 3000,
      hint: 3000,
      source: 'retryAfter',
      capped: false,
      backoff: undefined,
    });
  });

  it('takes its own backoff where the server asks for nothing, by the given index', () => {
    expect([0, 1, 2].map((index) => compute(undefined, {}, { index }))).toEqual(
      [1000, 2000, 4000].map((delay) => ({ delay, minimum: delay, hint: undefined, source: 'backoff', capped: false, backoff: delay })),
    );
  });

  it('hands a backoff the previous draw and the source of random numbers, and tells the new draw', () => {
    const draws: Parameters<Backoff>[0][] = [];
    const backoff: Backoff = (draw) => {
      draws.push(draw);
      return 700;
    };
    const random = (): number => 0.25;
    expect(compute(undefined, { backoff }, { index: 3, random }, 400).backoff).toBe(700);
    expect(draws).toEqual([{ index: 3, previous: 400, random }]);
  });

  it('obeys a zero: to doubt it is for those who remember the one before', () => {
    expect(compute(hintOf(0))).toMatchObject({ delay: 0, hint: 0, source: 'retryAfter' });
  });

  it('caps a hint where the rule does, and says so', () => {
    expect(compute(hintOf(300_000), { hint: 'capped' })).toMatchObject({ delay: 60_000, minimum: 60_000, hint: 300_000, capped: true });
    expect(compute(hintOf(300_000), { hint: 'capped', cap: 5000 })).toMatchObject({ delay: 5000, capped: true });
    expect(compute(hintOf(300_000), { hint: 'capped', cap: Infinity })).toMatchObject({ delay: 300_000, capped: false });
    expect(compute(hintOf(60_000), { hint: 'capped' })).toMatchObject({ delay: 60_000, capped: false });
  });

  it('does not cap its own backoff: that has a cap of its own', () => {
    expect(compute(undefined, { hint: 'capped', cap: 100 })).toMatchObject({ delay: 1000, capped: false });
  });

  it('waits for an announced quota to its reset, whatever the rule says', () => {
    const binding: Hint = { delay: 300_000, source: 'rateLimit', binding: true };
    const asAsked = { delay: 300_000, minimum: 300_000, hint: 300_000, source: 'rateLimit', capped: false, backoff: undefined };
    expect(compute(binding, { hint: 'capped' })).toEqual(asAsked);
    expect(compute(binding, { hint: 'minimum', spread: 1, backoff: () => 900_000 })).toEqual(asAsked);
  });

  describe('spreads clients that were told the same moment', () => {
    const spread = { spread: 0.1, backoff: () => 500 };

    it('by up to a share of the hint behind it', () => {
      expect(compute(hintOf(10_000), spread, { random: () => 0 })).toMatchObject({ delay: 10_000, minimum: 10_000 });
      expect(compute(hintOf(10_000), spread, { random: () => 0.5 })).toMatchObject({ delay: 10_500, minimum: 10_000 });
    });

    it('by 3 s at most', () => {
      expect(compute(hintOf(3_600_000), spread, { random: () => 1 - 2 ** -53 }).delay).toBeCloseTo(3_603_000, 6);
    });

    it('by no less than its own backoff', () => {
      const context = { random: () => 0 };
      expect(compute(hintOf(1000), { ...spread, backoff: () => 4000 }, context)).toMatchObject({
        delay: 4000,
        minimum: 4000,
        backoff: 4000,
      });
    });

    it('but not beyond the deadline', () => {
      expect(compute(hintOf(10_000), spread, { random: () => 0.5, left: 10_200 })).toMatchObject({ delay: 10_199, minimum: 10_000 });
    });

    it('and never before the hint, where the deadline comes first', () => {
      expect(compute(hintOf(10_000), spread, { random: () => 0.5, left: 4000 })).toMatchObject({ delay: 10_000, minimum: 10_000 });
    });
  });

  it.each([-1, NaN, Infinity])('refuses a backoff of %s', (delay) => {
    expect(() => compute(undefined, { backoff: () => delay })).toThrow(UsageError);
    expect(() => compute(undefined, { backoff: () => delay })).toThrow(
      `A backoff returned ${delay}; it has to return milliseconds, 0 or more`,
    );
  });
});
