import { describe, expect, it } from 'vitest';
import { OriginGates } from '../../../src/pace/gate/OriginGates.js';
import type { Ask, Hold, ResponseOutcome } from '../../../src/pace/Limiter.js';

const TOO_MANY: ResponseOutcome = { status: 429 };
const ASK: Ask = {};

const gatesOf = (draw = 1): OriginGates => new OriginGates(() => draw);

/** Has a request of a route refused. */
function refuse(gates: OriginGates, route: string, now: number, delay: number | undefined, announced = false, answer = TOO_MANY): Hold {
  return gates.refused(gates.take(route, now), route, now, delay, announced, answer);
}

/** Milliseconds until a request of each route may go. */
const waits = (gates: OriginGates, now: number, ...routes: readonly string[]): number[] =>
  routes.map((route) => gates.check(ASK, route, now));

describe('OriginGates', () => {
  it('let everything pass as long as nothing is refused', () => {
    const gates = gatesOf();
    gates.passed(gates.take('/a', 0), 5);
    gates.lost(gates.take('/b', 5));
    expect(waits(gates, 5, '/a', '/b')).toEqual([0, 0]);
    expect([gates.refusalOf('/a'), gates.momentOf(ASK, '/a', 0)]).toEqual([undefined, 0]);
  });

  describe('where a refusal announces no quota', () => {
    it('hold its route, and no other', () => {
      const gates = gatesOf();
      const { refusal } = refuse(gates, '/busy', 0, 5000);
      expect(waits(gates, 0, '/busy', '/users')).toEqual([5000, 0]);
      expect([gates.refusalOf('/busy'), gates.refusalOf('/users')]).toEqual([refusal, undefined]);
      expect([gates.momentOf(ASK, '/busy', 0), gates.momentOf(ASK, '/users', 0)]).toEqual([5000, 0]);
    });

    it('hold the requests of the route by its one probe', () => {
      const gates = gatesOf();
      refuse(gates, '/busy', 0, 5000);
      const probe = gates.take('/busy', 5000);
      expect(waits(gates, 5000, '/busy', '/users')).toEqual([1000, 0]);
      gates.passed(probe, 5010);
      expect(waits(gates, 5010, '/busy', '/users')).toEqual([0, 0]);
    });

    it('keep to routes where one is refused when the other has opened again', () => {
      const gates = gatesOf();
      refuse(gates, '/a', 0, 5000);
      gates.passed(gates.take('/a', 5000), 5010);
      refuse(gates, '/b', 5020, 7000);
      expect(waits(gates, 5020, '/a', '/b', '/c')).toEqual([0, 7000, 0]);
    });

    it('keep to routes where the closing of the other has been withdrawn', () => {
      const gates = gatesOf();
      refuse(gates, '/a', 0, 5000).withdraw();
      refuse(gates, '/b', 10, 7000);
      expect(waits(gates, 10, '/a', '/b', '/c')).toEqual([0, 7000, 0]);
    });

    it('close on the answer to a request that was sent before its route had a gate', () => {
      const gates = gatesOf();
      const [first, second] = [gates.take('/busy', 0), gates.take('/busy', 0)];
      gates.refused(first, '/busy', 10, 5000, false, TOO_MANY);
      gates.refused(second, '/busy', 20, 9000, false, TOO_MANY);
      expect(waits(gates, 20, '/busy')).toEqual([9000]);
      expect(gates.refusalOf('/busy')).toMatchObject({ refusals: 1, run: 0 });
    });

    it('are not opened by an answer to such a request', () => {
      const gates = gatesOf();
      const early = gates.take('/busy', 0);
      refuse(gates, '/busy', 10, 5000);
      gates.passed(early, 20);
      expect(waits(gates, 20, '/busy')).toEqual([4990]);
    });

    it('withdraw the closing of the route', () => {
      const gates = gatesOf();
      refuse(gates, '/busy', 0, 5000).withdraw();
      expect(waits(gates, 1, '/busy')).toEqual([0]);
    });
  });

  describe('where a second route is refused meanwhile', () => {
    it('hold all of the origin, until the later of the two', () => {
      const gates = gatesOf();
      refuse(gates, '/a', 0, 9000);
      refuse(gates, '/b', 10, 5000);
      expect(waits(gates, 10, '/a', '/b', '/c')).toEqual([8990, 8990, 8990]);
      expect(gates.refusalOf('/c')).toMatchObject({ at: 0, delay: 9000, until: 9000 });
    });

    it('probe by one request, whatever its route', () => {
      const gates = gatesOf();
      refuse(gates, '/a', 0, 5000);
      refuse(gates, '/b', 0, 5000);
      const probe = gates.take('/c', 5000);
      expect(waits(gates, 5000, '/a', '/b', '/c')).toEqual([1000, 1000, 1000]);
      gates.passed(probe, 5010);
      expect(waits(gates, 5010, '/a', '/b', '/c')).toEqual([0, 0, 0]);
      gates.take('/a', 5010);
      expect(waits(gates, 5010, '/a', '/b', '/c')).toEqual([0, 0, 0]);
    });

    it('hold all of the origin from then on, by a refusal of any route', () => {
      const gates = gatesOf();
      refuse(gates, '/a', 0, 5000);
      refuse(gates, '/b', 0, 5000);
      gates.passed(gates.take('/c', 5000), 5010);
      refuse(gates, '/d', 20_000, 3000);
      expect(waits(gates, 20_000, '/a', '/d', '/e')).toEqual([3000, 3000, 3000]);
    });

    it('count the refusals of probes of several routes as one run', () => {
      const gates = gatesOf();
      refuse(gates, '/a', 0, 1000);
      refuse(gates, '/b', 0, 1000);
      const runs = ['/a', '/b', '/c'].map((route, n) => refuse(gates, route, 1000 * (n + 1), 1000).refusal.run);
      expect(runs).toEqual([1, 2, 3]);
    });

    it('do not withdraw what the other has confirmed', () => {
      const gates = gatesOf();
      refuse(gates, '/a', 0, 5000);
      refuse(gates, '/b', 10, 5000).withdraw();
      expect(waits(gates, 10, '/a', '/b', '/c')).toEqual([5000, 5000, 5000]);
    });

    it('are not held for ever by a request of one of the routes that was on its way', () => {
      const gates = gatesOf();
      refuse(gates, '/a', 0, 1000);
      const probe = gates.take('/a', 1000);
      refuse(gates, '/b', 1010, 1000);
      gates.passed(probe, 1020);
      gates.passed(gates.take('/b', 2010), 2020);
      expect(waits(gates, 2020, '/a', '/b')).toEqual([0, 0]);
    });
  });

  describe('where a refusal announces its quota', () => {
    it('hold all who share it', () => {
      const gates = gatesOf();
      const { refusal } = refuse(gates, '/busy', 0, 5000, true);
      expect(waits(gates, 0, '/busy', '/users')).toEqual([5000, 5000]);
      expect(gates.refusalOf('/users')).toBe(refusal);
    });

    it('withdraw the closing of all', () => {
      const gates = gatesOf();
      refuse(gates, '/busy', 0, 5000, true).withdraw();
      expect(waits(gates, 1, '/busy', '/users')).toEqual([0, 0]);
    });

    it('hold no route for longer than all, where nothing was announced before', () => {
      const gates = gatesOf();
      refuse(gates, '/busy', 0, 5000);
      refuse(gates, '/users', 0, 3000, true);
      expect(waits(gates, 0, '/busy', '/users', '/other')).toEqual([5000, 3000, 3000]);
      expect([gates.refusalOf('/busy')?.until, gates.refusalOf('/users')?.until]).toEqual([5000, 3000]);
      expect([gates.momentOf(ASK, '/busy', 0), gates.momentOf(ASK, '/users', 0)]).toEqual([5000, 3000]);
    });

    it('do not make the routes share what they do not announce', () => {
      const gates = gatesOf();
      refuse(gates, '/a', 0, 1000, true);
      gates.passed(gates.take('/a', 1000), 1010);
      refuse(gates, '/b', 10_000, 5000);
      expect(waits(gates, 10_000, '/a', '/b')).toEqual([0, 5000]);
    });
  });

  it('let a request probe all gates that hold it at once', () => {
    const gates = gatesOf();
    refuse(gates, '/busy', 0, 1000);
    refuse(gates, '/users', 0, 1000, true);
    gates.passed(gates.take('/busy', 1000), 1010);
    expect(waits(gates, 1010, '/busy', '/users')).toEqual([0, 0]);
  });

  it('hand on the turn at the gate of all when the route refuses, and do not open that', () => {
    const gates = gatesOf();
    refuse(gates, '/users', 0, 1000, true);
    refuse(gates, '/busy', 1000, 5000);
    expect(waits(gates, 1000, '/users', '/busy')).toEqual([0, 5000]);
    gates.take('/users', 1000);
    expect(waits(gates, 1000, '/users', '/other')).toEqual([1000, 1000]);
  });

  it('ask the plan of an ask with the refusal that holds its route, and let it end the ask', () => {
    const gates = gatesOf();
    const { refusal } = refuse(gates, '/busy', 0, 300_000);
    const asked: unknown[] = [];
    const plan: Ask['plan'] = (by) => {
      asked.push(by);
      return 60_000;
    };
    expect([gates.check({ plan }, '/busy', 0), gates.momentOf({ plan }, '/busy', 0)]).toEqual([60_000, 60_000]);
    expect(asked).toEqual([refusal, refusal]);
    const end = (): never => {
      throw new RangeError('too long');
    };
    expect(() => gates.check({ plan: end }, '/busy', 0)).toThrow(RangeError);
    expect(gates.check({ plan: end }, '/users', 0)).toBe(0);
  });

  it('remember the 64 routes that were refused last', () => {
    const gates = gatesOf();
    refuse(gates, '/first', 0, 5000);
    gates.passed(gates.take('/first', 5000), 5000);
    for (let n = 0; n < 64; n++) {
      refuse(gates, `/${n}`, 10_000 * (n + 1), 1000);
      gates.passed(gates.take(`/${n}`, 10_000 * (n + 1) + 1000), 10_000 * (n + 1) + 1000);
    }
    // The first of them is forgotten: its next request has no pass of a gate of its own.
    expect(gates.take('/first', 1e6).length).toBe(1);
    expect(['/0', '/63'].map((route) => gates.take(route, 1e6).length)).toEqual([2, 2]);
  });
});
