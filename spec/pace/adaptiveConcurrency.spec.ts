import { describe, expect, it } from 'vitest';
import { adaptiveConcurrency } from '../../src/pace/adaptiveConcurrency.js';
import type { Limiter, Outcome, Permit } from '../../src/pace/Limiter.js';

/** Takes all slots that are free. */
function fill(limiter: Limiter): Permit[] {
  const permits: Permit[] = [];
  while (limiter.check({}) === 0) permits.push(limiter.take({}));
  return permits;
}

function end(permits: readonly Permit[], outcome: Outcome): void {
  for (const permit of permits) {
    permit.settle(outcome);
    permit.release();
  }
}

function slots(limiter: Limiter): number {
  const permits = fill(limiter);
  end(permits, 'unknown');
  return permits.length;
}

describe('adaptiveConcurrency', () => {
  it('grows by one after a stable run with all slots in use', () => {
    const limiter = adaptiveConcurrency({ initial: 4 });
    end(fill(limiter), { status: 200 });
    expect(slots(limiter)).toBe(5);
  });

  it('does not grow before its run of successes is complete', () => {
    const limiter = adaptiveConcurrency({ initial: 4, stable: 10 });
    end(fill(limiter), { status: 200 });
    end(fill(limiter), { status: 200 });
    expect(slots(limiter)).toBe(4);
    end(fill(limiter), { status: 200 });
    expect(slots(limiter)).toBe(5);
  });

  it('does not grow while slots stay empty', () => {
    const limiter = adaptiveConcurrency({ initial: 4 });
    for (let i = 0; i < 50; i++) end([limiter.take({})], { status: 200 });
    expect(slots(limiter)).toBe(4);
  });

  it('halves once for all failures that were in flight together, never below its least', () => {
    const limiter = adaptiveConcurrency({ initial: 8, min: 3 });
    end(fill(limiter), { status: 503 });
    expect(slots(limiter)).toBe(4);
    end(fill(limiter), { status: 0 });
    expect(slots(limiter)).toBe(3);
  });

  it('leaves 429s that carry a quota hint to the gate', () => {
    const limiter = adaptiveConcurrency({ initial: 8 });
    end(fill(limiter), { status: 429, headers: new Headers({ 'retry-after': '3' }) });
    expect(slots(limiter)).toBe(8);
    end(fill(limiter), { status: 429, headers: new Headers() });
    expect(slots(limiter)).toBe(4);
  });

  it('refuses nonsense', () => {
    expect(() => adaptiveConcurrency({ min: 5, initial: 4 })).toThrow('initial is 4; give a number from min, 5, to max, 64');
    expect(() => adaptiveConcurrency({ initial: 2.5 })).toThrow('initial is 2.5; give a whole number, 1 or more');
    expect(() => adaptiveConcurrency({ backoff: 1 })).toThrow('backoff is 1; give a number between 0 and 1');
  });
});
