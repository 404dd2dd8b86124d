import { describe, expect, it } from 'vitest';
import { exponential, type RetryPolicyInput, type RetryRule } from 'coldfetch';
import { decide, type Situation } from '../../src/retry/decide.js';
import { readFailure } from '../../src/retry/readFailure.js';
import { resolvePolicy } from '../../src/retry/resolvePolicy.js';

const rule = (status: number, changes: Partial<RetryRule> = {}): RetryRule => ({
  matches: (failure) => failure.status === status,
  retries: 2,
  backoff: exponential({ base: 1000, cap: 60_000 }),
  sources: { retryAfterSeconds: ({ get }) => Number(get('retry-after') ?? NaN) * 1000 },
  hint: 'minimum',
  replay: 'any',
  ...changes,
});
const rules = { throttled: rule(429), transient: rule(503, { replay: 'idempotent' }) };

/** The failure of a request: its status, and what the server asks for. */
function failed(status: number, retryAfter?: string, method = 'GET') {
  const headers = new Map(retryAfter === undefined ? [] : [['retry-after', retryAfter]]);
  const error = { status, headers: { get: (name: string) => headers.get(name) ?? null } };
  return readFailure(error, { method });
}

function decided(changes: Partial<Situation>, policy: RetryPolicyInput = {}) {
  const situation = { verdict: undefined, tallies: new Map(), pacing: {}, output: false, left: Infinity, now: 0, ...changes };
  return decide(resolvePolicy({ rules, ...policy }), { failure: failed(429), ...situation });
}

describe('decide', () => {
  it('waits by the first rule that takes the failure', () => {
    expect(decided({ failure: failed(429, '3') })).toMatchObject({ then: 'wait', kind: 'throttled', plan: { delay: 3000 } });
    expect(decided({ failure: failed(503, '3') })).toMatchObject({ then: 'wait', kind: 'transient' });
  });

  it('counts each rule apart', () => {
    const tallies: Situation['tallies'] = new Map();
    const kinds = [429, 429, 503, 503, 429].map((status) => decided({ failure: failed(status), tallies }));
    expect(kinds.map(({ then }) => then)).toEqual(['wait', 'wait', 'wait', 'wait', 'give-up']);
    expect(kinds.at(-1)).toEqual({ then: 'give-up', reason: 'exhausted', kind: 'throttled' });
  });

  it.each<[string, Partial<Situation>, RetryPolicyInput, object]>([
    ['a failure that no rule takes', { failure: failed(404) }, {}, { reason: 'terminal' }],
    ['a verdict', { verdict: 'terminal' }, {}, { reason: 'terminal' }],
    ['output that cannot be taken back', { output: true }, {}, { reason: 'partial-output', kind: 'throttled' }],
    ['a write whose fate is unknown', { failure: failed(503, undefined, 'POST') }, {}, { reason: 'not-replayable', kind: 'transient' }],
    ['a hint beyond the longest', { failure: failed(429, '61') }, { maxHint: 60_000 }, { reason: 'max-hint', kind: 'throttled' }],
    ['a hint that the deadline cuts', { failure: failed(429, '61'), left: 61_000 }, {}, { reason: 'deadline', kind: 'throttled' }],
  ])('gives up on %s', (_, situation, policy, outcome) => {
    expect(decided(situation, policy)).toEqual({ then: 'give-up', ...outcome });
  });

  it('waits for a hint that fits in what is left by a millisecond', () => {
    expect(decided({ failure: failed(429, '61'), left: 61_001 })).toMatchObject({ then: 'wait' });
  });

  it('goes on behind output where the caller says how', () => {
    expect(decided({ output: true }, { resume: () => [] })).toMatchObject({ then: 'wait' });
  });

  it('gives what a hook wants retried to the last rule, within its count and its replay safety', () => {
    const tallies: Situation['tallies'] = new Map();
    const ask = (method?: string) => decided({ failure: failed(404, undefined, method), verdict: 'retry', tallies });
    expect([ask(), ask(), ask()]).toMatchObject([
      { then: 'wait', kind: 'transient' },
      { then: 'wait', kind: 'transient' },
      { then: 'give-up', reason: 'exhausted' },
    ]);
    expect(ask('POST')).toMatchObject({ then: 'give-up', reason: 'not-replayable' });
  });

  describe('with a gate that owns the wait', () => {
    it('sends at once, and counts', () => {
      const tallies: Situation['tallies'] = new Map();
      const ask = () => decided({ failure: failed(429, '3'), pacing: { gate: 'owned' }, tallies });
      expect([ask(), ask(), ask()]).toEqual([
        { then: 'send', kind: 'throttled' },
        { then: 'send', kind: 'throttled' },
        { then: 'give-up', reason: 'exhausted', kind: 'throttled' },
      ]);
    });

    it('counts nothing for the request by which the gate looked whether it may open', () => {
      const tallies: Situation['tallies'] = new Map();
      const look = () => decided({ pacing: { gate: 'opening' }, tallies });
      for (let n = 0; n < 10; n++) expect(look()).toEqual({ then: 'send', kind: 'throttled' });
      expect(decided({ tallies })).toMatchObject({ then: 'wait' });
    });
  });
});
