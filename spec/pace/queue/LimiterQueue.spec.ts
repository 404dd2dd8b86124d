import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import type { Ask, Limiter } from '../../../src/pace/Limiter.js';
import { makePermit } from '../../../src/pace/makePermit.js';
import { queueOf } from '../../../src/pace/queue/LimiterQueue.js';
import type { WaitEstimate } from '../../../src/pace/queue/Waiter.js';
import { elapsed } from '../../../src/time.js';

/** A limiter that lets an ask pass where `may` says so; asks are told apart by their URL. */
function limiterOf(may: (ask: Ask) => number | boolean, more: Partial<Limiter> = {}) {
  const changed$ = new Subject<void>();
  const taken: string[] = [];
  const limiter: Limiter = {
    changed$,
    check: (ask) => {
      const answer = may(ask);
      return typeof answer === 'number' ? answer : answer ? 0 : Infinity;
    },
    take: ({ url = '' }) => {
      taken.push(url);
      return makePermit({});
    },
    ...more,
  };
  return { limiter, taken, change: () => changed$.next() };
}

/** Has a request enter, and notes what it hears. */
function enter(limiter: Limiter, ask: Ask, heard: unknown[] = [], maxQueued?: number): () => void {
  return queueOf(limiter).enter(
    {
      ask,
      granted: () => heard.push('granted'),
      refused: (error) => heard.push(error),
      estimated: (estimate) => heard.push(estimate),
    },
    maxQueued,
  );
}

const laneOf = ({ url = '' }: Ask): string => url.slice(0, 1);

describe('queueOf', () => {
  it('is one queue for all who ask the same limiter', () => {
    const { limiter } = limiterOf(() => false);
    expect(queueOf(limiter)).toBe(queueOf(limiter));
    expect(queueOf(limiter)).not.toBe(queueOf({ ...limiter }));
  });

  it('counts those who wait, in all lines', () => {
    const { limiter } = limiterOf(() => false, { line: laneOf });
    const withdraw = ['a1', 'a2', 'b1'].map((url) => enter(limiter, { url }));
    expect(queueOf(limiter).size).toBe(3);
    withdraw.forEach((each) => each());
    withdraw.forEach((each) => each());
    expect(queueOf(limiter).size).toBe(0);
  });

  describe('with lanes', () => {
    it('does not let the first of one lane hold up another', () => {
      let open = '';
      const { limiter, taken, change } = limiterOf(({ url = '' }) => url.startsWith(open) && open !== '', { lane: laneOf });
      for (const url of ['a1', 'b1', 'a2', 'b2']) enter(limiter, { url });
      open = 'b';
      change();
      expect(taken).toEqual(['b1', 'b2']);
    });

    it('lets nobody of the same lane pass the first', () => {
      const { limiter, taken, change } = limiterOf(({ url }) => url !== 'a1' && taken.length < 9, { lane: laneOf });
      for (const url of ['a1', 'a2', 'b1']) enter(limiter, { url });
      change();
      expect(taken).toEqual(['b1']);
    });

    it('lets the best of all lanes go first, whatever its lane', () => {
      let open = false;
      const { limiter, taken, change } = limiterOf(() => open, { lane: laneOf });
      enter(limiter, { url: 'a background', priority: 'background' });
      enter(limiter, { url: 'b rejected', rejections: 1 });
      enter(limiter, { url: 'b interactive', priority: 'interactive' });
      enter(limiter, { url: 'a normal' });
      open = true;
      change();
      expect(taken).toEqual(['b interactive', 'a normal', 'a background', 'b rejected']);
    });

    it('looks again at the earliest moment that any lane has named', () =>
      marbles(({ flush }) => {
        const at: [string, number][] = [];
        const moments: Readonly<Record<string, number>> = { a1: 9, a2: 2, b1: 4, c1: 20 };
        const { limiter } = limiterOf(({ url = '' }) => Math.max(0, (moments[url] ?? 0) - elapsed()), { lane: laneOf });
        for (const url of Object.keys(moments)) {
          queueOf(limiter).enter({ ask: { url }, granted: () => at.push([url, elapsed()]), refused: () => undefined });
        }
        flush();
        expect(at).toEqual([
          ['b1', 4],
          ['a1', 9],
          ['a2', 9],
          ['c1', 20],
        ]);
      }));

    it('refuses by maxQueued those of all lanes of a line together', () => {
      const { limiter } = limiterOf(() => false, { lane: laneOf });
      const heard: unknown[] = [];
      enter(limiter, { url: 'a1' });
      enter(limiter, { url: 'b1' });
      enter(limiter, { url: 'c1' }, heard, 2);
      expect(heard).toMatchObject([{ name: 'LimiterError', reason: 'queue-full' }]);
    });

    it('tells a waiter of those ahead in other lanes of its line, too', () => {
      const { limiter } = limiterOf(() => false, { lane: laneOf });
      const heard: WaitEstimate[] = [];
      enter(limiter, { url: 'a1' });
      enter(limiter, { url: 'b1' }, heard);
      expect(heard).toEqual([{ source: 'queue', delay: Infinity, position: 1 }]);
    });
  });

  describe('with asks that yield', () => {
    const yields = ({ url = '' }: Ask): boolean => url.startsWith('y');

    it('lets those of other lanes go first, however late they came', () => {
      let left = 1;
      const { limiter, taken, change } = limiterOf(() => left > 0 && taken.length < left, { lane: laneOf, yields });
      left = 0;
      enter(limiter, { url: 'y1', priority: 'interactive' });
      enter(limiter, { url: 'z1', rejections: 3, priority: 'background' });
      left = 1;
      change();
      expect(taken).toEqual(['z1']);
      left = 2;
      change();
      expect(taken).toEqual(['z1', 'y1']);
    });

    it('lets them go where nobody else waits', () => {
      let open = false;
      const { limiter, taken, change } = limiterOf(() => open, { lane: laneOf, yields });
      enter(limiter, { url: 'y1' });
      open = true;
      change();
      expect(taken).toEqual(['y1']);
    });

    it('does not make lanes wait that go by the usual order otherwise', () => {
      let yielding = true;
      let open = false;
      const { limiter, taken, change } = limiterOf(() => open, { lane: laneOf, yields: (ask) => yielding && yields(ask) });
      enter(limiter, { url: 'y1' });
      enter(limiter, { url: 'z1' });
      yielding = false;
      open = true;
      change();
      expect(taken).toEqual(['y1', 'z1']);
    });
  });

  describe('with an estimate', () => {
    it('refuses what maxWait does not allow, as what the deadline does not allow', () =>
      marbles(() => {
        const { limiter } = limiterOf(() => false, { estimate: () => ({ source: 'gate', delay: 9000, least: 5000 }) });
        const [maxWait, deadline, neither]: unknown[][] = [[], [], []];
        enter(limiter, { maxWait: 4999 }, maxWait);
        enter(limiter, { deadline: 5000 }, deadline);
        const withdraw = enter(limiter, { maxWait: 5000, deadline: 5001 }, neither);
        expect(maxWait).toMatchObject([{ name: 'LimiterError', reason: 'max-wait' }]);
        expect(deadline).toMatchObject([{ name: 'DeadlineError' }]);
        expect(neither).toEqual([{ source: 'gate', delay: 9000, least: 5000, position: 0 }]);
        withdraw();
      }));

    it('counts maxWait from the moment at which the waiter came', () =>
      marbles(({ flush, cold }) => {
        const delayed$ = new Subject<void>();
        const { limiter } = limiterOf(() => false, { delayed$, estimate: () => ({ source: 'gate', delay: 5000, least: 5000 }) });
        const heard: unknown[] = [];
        enter(limiter, { maxWait: 5005 }, heard);
        cold('4ms a 4ms b').subscribe(() => delayed$.next());
        flush();
        expect(heard).toMatchObject([{ delay: 5000 }, { delay: 5000 }, { name: 'LimiterError', reason: 'max-wait' }]);
      }));

    it('makes no guess of a refusal where the least is not known', () =>
      marbles(() => {
        const { limiter } = limiterOf(() => false, { estimate: () => ({ source: 'gate', delay: Infinity }) });
        const heard: unknown[] = [];
        const withdraw = enter(limiter, { maxWait: 1, deadline: 1 }, heard);
        expect(heard).toEqual([{ source: 'gate', delay: Infinity, position: 0 }]);
        withdraw();
      }));

    it('estimates the waits of all anew when waiting takes longer, each by its place', () => {
      const delayed$ = new Subject<void>();
      let opens = 1000;
      const { limiter } = limiterOf(() => false, { delayed$, estimate: (_, ahead) => ({ source: 'gate', delay: opens + ahead }) });
      const heard: WaitEstimate[][] = [[], [], []];
      const withdraw = heard.map((each) => enter(limiter, {}, each));
      withdraw[0]?.();
      opens = 2000;
      delayed$.next();
      expect(heard.map((each) => each.map(({ delay }) => delay))).toEqual([[1000], [1001, 2000], [1002, 2001]]);
    });

    it('lets those behind a waiter go on that is refused because its wait has become longer', () => {
      const delayed$ = new Subject<void>();
      let isBroken = false;
      const { limiter, taken } = limiterOf(({ url }) => url !== 'first', {
        delayed$,
        estimate: ({ url }) => {
          if (isBroken && url === 'first') throw new RangeError('no more');
          return undefined;
        },
      });
      const heard: unknown[] = [];
      enter(limiter, { url: 'first' }, heard);
      enter(limiter, { url: 'second' });
      expect(taken).toEqual([]);
      isBroken = true;
      delayed$.next();
      expect(heard.at(-1)).toBeInstanceOf(RangeError);
      expect(taken).toEqual(['second']);
    });
  });

  it('refuses the first by the error that the limiter throws, and asks for the next', () => {
    let isBroken = false;
    const { limiter, taken, change } = limiterOf(({ url }) => {
      if (isBroken && url === 'first') throw new RangeError('never');
      return isBroken;
    });
    const heard: unknown[][] = [[], []];
    enter(limiter, { url: 'first' }, heard[0]);
    enter(limiter, { url: 'second' }, heard[1]);
    isBroken = true;
    change();
    expect(heard[0]?.at(-1)).toBeInstanceOf(RangeError);
    expect([heard[1]?.at(-1), taken]).toEqual(['granted', ['second']]);
  });

  it('lets a waiter that is granted ask for another, behind those who wait', () => {
    let left = 0;
    const { limiter, taken, change } = limiterOf(() => left > taken.length);
    const again = (): void => {
      queueOf(limiter).enter({ ask: { url: 'again' }, granted: () => undefined, refused: () => undefined });
    };
    queueOf(limiter).enter({ ask: { url: 'first' }, granted: again, refused: () => undefined });
    enter(limiter, { url: 'second' });
    left = 3;
    change();
    expect(taken).toEqual(['first', 'second', 'again']);
  });
});
