import { takeUntil, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  acquire,
  allOf,
  circuitBreaker,
  concurrency,
  type Hold,
  type Limiter,
  type Outcome,
  limitWith,
  pacer,
  spacing,
  tokenBucket,
} from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { makePermit } from '../../src/pace/makePermit.js';
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

  it('holds what follows a 429 if one of them does', () => {
    const hold = allOf(concurrency(5), pacer()).take({ url }).settle(rejected);
    expect(hold).toMatchObject({ counted: true, refusal: { delay: 5000, answer: rejected } });
    expect(allOf(concurrency(5)).take({ url }).settle(rejected)).toBeUndefined();
  });

  describe('of several that hold', () => {
    const refusal = (until: number): Hold['refusal'] => ({
      at: 0,
      delay: until,
      until,
      source: undefined,
      binding: false,
      refusals: 1,
      run: 0,
      answer: rejected,
    });
    const holds = (until: number, counted = true, withdraw = (): void => undefined): Limiter => ({
      ...concurrency(1),
      take: () => makePermit({ settle: () => ({ refusal: refusal(until), counted, withdraw }) }),
    });
    const holdOf = (...limiters: readonly Limiter[]): Hold | undefined =>
      allOf(...limiters)
        .take({})
        .settle(rejected);

    it('shows the refusal that holds longest', () => {
      expect(holdOf(holds(3000), holds(9000), holds(5000))?.refusal.until).toBe(9000);
    });

    it('counts no retry if one of them does not', () => {
      expect([holdOf(holds(1), holds(2)), holdOf(holds(1, false), holds(2)), holdOf(holds(1), holds(2, false))]).toMatchObject([
        { counted: true },
        { counted: false },
        { counted: false },
      ]);
    });

    it('withdraws the closing of all', () => {
      const withdrawn: number[] = [];
      const noting = (n: number): Limiter => holds(n, true, () => void withdrawn.push(n));
      holdOf(noting(1), noting(2))?.withdraw();
      expect(withdrawn).toEqual([1, 2]);
    });
  });

  it('tells the others that a gate has taken the 429, in whichever order they are joined', () => {
    const heard: Outcome[] = [];
    const listening: Limiter = {
      ...concurrency(9),
      take: () =>
        makePermit({
          settle: (outcome) => {
            heard.push(outcome);
            return undefined;
          },
        }),
    };
    for (const limiter of [allOf(listening, pacer()), allOf(pacer(), listening)]) limiter.take({ url }).settle({ status: 429 });
    expect(heard).toEqual([
      { status: 429, held: true },
      { status: 429, held: true },
    ]);
    allOf(listening, pacer()).take({ url }).settle({ status: 503 });
    expect(heard.at(-1)).toEqual({ status: 503 });
  });

  it('opens no breaker by a 429 that a gate has taken', () => {
    const breaker = circuitBreaker({ consecutiveFailures: 1 });
    allOf(breaker, pacer()).take({ url }).settle({ status: 429 });
    expect(breaker.check({ url })).toBe(0);
    allOf(breaker, concurrency(5)).take({ url }).settle({ status: 429 });
    expect(breaker.check({ url })).toBeGreaterThan(0);
  });

  it('is a gate if one of them is', () => {
    expect([allOf(concurrency(1), pacer()), allOf(concurrency(1))].map(({ isGate }) => isGate)).toEqual([true, false]);
  });

  it('estimates the longest wait that is known', () => {
    const tells = (delay: number): Limiter => ({ ...concurrency(1), estimate: () => ({ source: `${delay}`, delay }) });
    expect(allOf(tells(3), tells(9), concurrency(1)).estimate?.({}, 0)?.delay).toBe(9);
    expect(allOf(tells(Infinity), tells(3)).estimate?.({}, 0)?.delay).toBe(3);
    expect(allOf(tells(0), tells(Infinity)).estimate?.({}, 0)?.delay).toBe(Infinity);
    expect(allOf(concurrency(1)).estimate?.({}, 0)).toBeUndefined();
  });

  it('refuses an ask by whichever of them it is too late for', () =>
    marbles(({ expect$ }) => {
      const slow = tokenBucket({ rate: 1, per: 60_000 });
      slow.take({});
      const slots = concurrency(1);
      slots.take({});
      const late = { message: 'The deadline cannot be kept: the turn comes in 60 s, and 5 s are left' };
      expect$(acquire(allOf(slow, slots), { deadline: 5000 })).toBeMarbles('#', undefined, late);
      expect$(acquire(allOf(slots, slow), { deadline: 5000 })).toBeMarbles('#', undefined, late);
      // One that expects to wait for longer, but may be wrong, does not hide the one that knows.
      const guessing: Limiter = { ...slots, estimate: () => ({ source: 'guess', delay: 90_000 }) };
      expect$(acquire(allOf(guessing, slow), { deadline: 5000 })).toBeMarbles('#', undefined, late);
    }));

  it('asks all of them for lines and lanes', () => {
    const named = (line: string, lane: string, yields: boolean): Limiter => ({
      ...concurrency(1),
      line: () => line,
      lane: () => lane,
      yields: () => yields,
    });
    const limiter = allOf(named('a', 'x', false), concurrency(1), named('b', 'y', true));
    expect([limiter.line?.({}), limiter.lane?.({}), limiter.yields?.({})]).toEqual(['a\n\nb', 'x\n\ny', true]);
    expect(allOf(named('a', 'x', false), concurrency(1)).yields?.({})).toBe(false);
  });

  it('takes the probe of a breaker when gate and slots are ready, not before', () =>
    marbles(({ flush }) => {
      const breaker = circuitBreaker({ consecutiveFailures: 1, breakDuration: 10, random: () => 1 });
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
