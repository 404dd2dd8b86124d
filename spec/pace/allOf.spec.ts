import { takeUntil, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { acquire, allOf, circuitBreaker, type Claim, concurrency, type Limiter, limitWith, pacer, spacing, tokenBucket } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { once } from '../../src/pace/once.js';
import { elapsed } from '../../src/time.js';
import { witness } from './witness.js';

const url = 'https://api.test/';
const rejected = { status: 429, headers: new Headers({ 'retry-after': '5' }) };

describe('allOf', () => {
  it('waits for the longest of its limiters', () =>
    marbles(({ cold, expect$ }) => {
      const limiter = allOf(spacing(2), tokenBucket({ rate: 1, per: 5 }));
      expect$(cold('a|').pipe(limitWith(limiter))).toBeMarbles('a|');
      expect$(cold('a|').pipe(limitWith(limiter))).toBeMarbles('-----a|');
    }));

  it('takes nothing of one while it waits for another', () =>
    marbles(({ cold, expect$ }) => {
      const slots = concurrency(1);
      const gate = spacing(5);
      const both = allOf(slots, gate);
      expect$(cold('a|').pipe(limitWith(both))).toBeMarbles('     a|');
      expect$(cold('a|').pipe(limitWith(both))).toBeMarbles('     -----a|');
      expect$(cold('--a|').pipe(limitWith(slots)), '--^').toBeMarbles('----a|');
    }));

  it('hears of a change in any of them', () =>
    marbles(({ expect$, cold }) => {
      const slots = concurrency(1);
      const limiter = allOf(spacing(0), slots);
      acquire(slots)
        .pipe(takeUntil(timer(4)))
        .subscribe();
      expect$(cold('a|').pipe(limitWith(limiter))).toBeMarbles('----a|');
    }));

  it('hands every outcome and the release to all of them, once', () => {
    const [a, b] = [witness(), witness()];
    const permit = allOf(a, b).take({});
    for (let i = 0; i < 2; i++) permit.settle({ status: 204 });
    for (let i = 0; i < 2; i++) permit.release();
    for (const { told } of [a, b]) expect(told.map(([, ...what]) => what)).toEqual([['settled', 204], ['released']]);
  });

  it('owns the wait after a 429 if one of them does', () => {
    const limiter = allOf(concurrency(5), pacer());
    expect(limiter.take({ url }).settle(rejected)).toBe('owned');
    expect(allOf(concurrency(5)).take({ url }).settle(rejected)).toBeUndefined();
  });

  it('uses no count if the request was one gate’s own look, whatever the others say', () => {
    const claims = (claim: Claim): Limiter => ({ ...concurrency(1), take: () => once({ settle: () => claim }) });
    for (const [first, second] of [['owned', 'opening'] as const, ['opening', 'owned'] as const]) {
      expect(allOf(claims(first), claims(second)).take({}).settle(rejected)).toBe('opening');
    }
  });

  it('tells the longest wait that is known, or what one of them refuses by', () => {
    const tells = (delay: number, refusal?: unknown): Limiter => ({
      ...concurrency(1),
      outlook: () => ({ source: `${delay}`, delay, refusal }),
    });
    expect(allOf(tells(3), tells(9), concurrency(1)).outlook?.({}, 0)?.delay).toBe(9);
    expect(allOf(tells(Infinity), tells(3)).outlook?.({}, 0)?.delay).toBe(3);
    expect(allOf(tells(0), tells(Infinity)).outlook?.({}, 0)?.delay).toBe(Infinity);
    expect(allOf(tells(3, 'never'), tells(9)).outlook?.({}, 0)?.refusal).toBe('never');
    expect(allOf(concurrency(1)).outlook?.({}, 0)).toBeUndefined();
  });

  it('takes the probe of a breaker when gate and slots are ready, not before', () =>
    marbles(({ flush }) => {
      const breaker = circuitBreaker({ consecutive: 1, openFor: 10, random: () => 1 });
      const slots = concurrency(1);
      breaker.take({ url }).settle({ status: 503 });
      acquire(slots)
        .pipe(takeUntil(timer(50)))
        .subscribe();
      const states: [number, string][] = [];
      breaker.state$(url).subscribe((state) => states.push([elapsed(), state]));
      acquire(allOf(slots, breaker), { url }).subscribe();
      flush();
      expect(states).toEqual([
        [0, 'open'],
        [50, 'half-open'],
      ]);
    }));
});
