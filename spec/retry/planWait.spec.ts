import { describe, expect, it } from 'vitest';
import { type Backoff, delaySources, exponential, type RetryRule, UsageError } from 'coldfetch';
import { planWait, type PlanInput, type Tally } from '../../src/retry/planWait.js';
import { readFailure } from '../../src/retry/readFailure.js';

const rule: RetryRule = {
  matches: () => true,
  retries: 5,
  backoff: exponential({ base: 1000, cap: 60_000 }),
  sources: { retryAfter: delaySources.retryAfter },
  hint: 'minimum',
  replay: 'any',
};
const fresh = (changes: Partial<Tally> = {}): Tally => ({ retries: 0, previous: undefined, zero: false, ...changes });
const throttled = (retryAfter?: string) =>
  readFailure({ status: 429, headers: new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) });

function plan(retryAfter: string | undefined, changes: Partial<RetryRule> = {}, tally = fresh(), input: Partial<PlanInput> = {}) {
  return planWait({ ...rule, ...changes }, tally, throttled(retryAfter), { left: Infinity, now: 0, random: () => 0.5, ...input });
}

describe('planWait', () => {
  it('waits as the server asks, and names the source', () => {
    expect(plan('3')).toEqual({ delay: 3000, minimum: 3000, hint: 3000, source: 'retryAfter', capped: false });
  });

  it('takes its own backoff where the server asks for nothing, by the rule’s own count of retries', () => {
    const delays = [0, 1, 2].map((retries) => plan(undefined, {}, fresh({ retries })));
    expect(delays.map(({ source }) => source)).toEqual(['backoff', 'backoff', 'backoff']);
    const [first = 0, second, third] = delays.map(({ delay }) => delay);
    expect([second, third]).toEqual([first * 2, first * 4]);
  });

  it('hands a backoff its own draw before', () => {
    const seen: (number | undefined)[] = [];
    const backoff: Backoff = ({ previous }) => {
      seen.push(previous);
      return 700;
    };
    const tally = fresh();
    for (let n = 0; n < 2; n++) plan(undefined, { backoff }, tally);
    expect(seen).toEqual([undefined, 700]);
  });

  it('reads the sources in their order, and passes over those that say nothing or nonsense', () => {
    const sources = { nan: () => NaN, negative: () => -1, none: () => undefined, first: () => 5, second: () => 6 };
    expect(plan('3', { sources })).toMatchObject({ delay: 5, source: 'first' });
  });

  it('caps a hint where the rule does, and says so', () => {
    expect(plan('300', { hint: 'capped' })).toMatchObject({ delay: 60_000, hint: 300_000, capped: true });
    expect(plan('300', { hint: 'capped', cap: Infinity })).toMatchObject({ delay: 300_000, capped: false });
    expect(plan('60', { hint: 'capped' })).toMatchObject({ delay: 60_000, capped: false });
  });

  it('believes a zero once, not twice in a row', () => {
    const tally = fresh();
    expect([plan('0', {}, tally), plan('0', {}, tally), plan('1', {}, tally), plan('0', {}, tally)].map(({ source }) => source)).toEqual([
      'retryAfter',
      'backoff',
      'retryAfter',
      'retryAfter',
    ]);
  });

  describe('spreads clients that were told the same moment', () => {
    const spread = { spread: 0.1, backoff: () => 500 };

    it('by up to a share of the hint behind it', () => {
      expect(plan('10', spread, fresh(), { random: () => 0 })).toMatchObject({ delay: 10_000, minimum: 10_000 });
      expect(plan('10', spread, fresh(), { random: () => 0.5 })).toMatchObject({ delay: 10_500, minimum: 10_000 });
    });

    it('by 3 s at most', () => {
      expect(plan('3600', spread, fresh(), { random: () => 1 - 2 ** -53 }).delay).toBeCloseTo(3_603_000, 6);
    });

    it('by no less than its own backoff', () => {
      expect(plan('1', { ...spread, backoff: () => 4000 }, fresh(), { random: () => 0 })).toMatchObject({ delay: 4000, minimum: 4000 });
    });

    it('but not beyond the deadline', () => {
      expect(plan('10', spread, fresh(), { random: () => 0.5, left: 10_200 })).toMatchObject({ delay: 10_199, minimum: 10_000 });
    });
  });

  it.each([-1, NaN, Infinity])('refuses a backoff of %s', (delay) => {
    expect(() => plan(undefined, { backoff: () => delay })).toThrow(UsageError);
    expect(() => plan(undefined, { backoff: () => delay })).toThrow(
      `A backoff returned ${delay}; it has to return milliseconds, 0 or more`,
    );
  });
});
