import { describe, expect, it } from 'vitest';
import { Gate, type Pass } from '../../../src/pace/gate/Gate.js';
import type { Ask, Hold, ResponseOutcome } from '../../../src/pace/Limiter.js';

const TOO_MANY: ResponseOutcome = { status: 429, source: 'retryAfter' };
/** An ask without a policy of its own: it waits as the server asked. */
const ASK: Ask = {};
/** An ask that may probe so many ms after the refusal. */
const after = (ms: number): Ask => ({ plan: ({ at }) => at + ms });

/** A gate whose draws are all `draw`. */
const gateOf = (draw = 1): Gate => new Gate(() => draw);

/** Sends a request at `sent` that is refused at `now`. */
function refuse(gate: Gate, sent: number, delay: number | undefined, now = sent, answer = TOO_MANY): Hold {
  return gate.refused(gate.take(sent), now, delay, answer);
}

/** A gate that has been closed at 0, for so many ms. */
function closed(delay: number | undefined, draw?: number): Gate {
  const gate = gateOf(draw);
  refuse(gate, 0, delay);
  return gate;
}

/** Number of requests that go at `now` without an answer in between, 99 at most. */
function burst(gate: Gate, now: number, ask = ASK): Pass[] {
  const passes: Pass[] = [];
  while (passes.length < 99 && gate.check(ask, now) === 0) passes.push(gate.take(now));
  return passes;
}

describe('Gate', () => {
  describe('open', () => {
    it('lets everything pass', () => {
      expect(burst(gateOf(), 0)).toHaveLength(99);
      expect(gateOf().refusal).toBeUndefined();
    });

    it('stays open, whatever else its requests end with', () => {
      const gate = gateOf();
      gate.passed(gate.take(0), 5);
      gate.lost(gate.take(5));
      expect(burst(gate, 10)).toHaveLength(99);
    });

    it('closes on a refusal, until the server said', () => {
      const gate = gateOf();
      const { refusal, counted } = refuse(gate, 0, 5000, 20);
      expect(refusal).toEqual({
        at: 20,
        delay: 5000,
        until: 5020,
        source: 'retryAfter',
        binding: false,
        refusals: 1,
        run: 0,
        answer: TOO_MANY,
      });
      expect(counted).toBe(true);
      expect(gate.refusal).toBe(refusal);
      expect([gate.check(ASK, 20), gate.check(ASK, 5019), gate.check(ASK, 5020)]).toEqual([5000, 1, 0]);
    });

    it('closes on the refusal of a request that was sent before there was a gate', () => {
      const gate = gateOf();
      gate.refused(undefined, 10, 5000, TOO_MANY);
      expect(gate.check(ASK, 10)).toBe(5000);
    });
  });

  describe('closed', () => {
    it('asks the plan of an ask when it may probe, with the refusal that holds', () => {
      const gate = closed(300_000);
      const seen: unknown[] = [];
      const ask: Ask = {
        plan: (refusal) => {
          seen.push(refusal);
          return 60_000;
        },
      };
      expect([gate.check(ask, 1000), gate.check(ask, 60_000), gate.momentOf(ask, 0)]).toEqual([59_000, 0, 60_000]);
      expect(new Set(seen)).toEqual(new Set([gate.refusal]));
    });

    it('throws the error by which the plan ends an ask', () => {
      const plan = (): never => {
        throw new RangeError('too long');
      };
      expect(() => closed(5000).check({ plan }, 0)).toThrow(RangeError);
      expect(() => closed(5000).momentOf({ plan }, 0)).toThrow(RangeError);
    });

    it('does not ask the plan while it is open', () => {
      const plan = (): never => {
        throw new RangeError('never');
      };
      expect([gateOf().check({ plan }, 0), gateOf().momentOf({ plan }, 0)]).toEqual([0, 0]);
    });

    it('waits 1, 2, 4 s with jitter, at most 60 s, where neither the server nor a plan says how long', () => {
      const gate = gateOf(0.5);
      const waits: number[] = [];
      for (let now = 0, n = 0; n < 8; n++) {
        refuse(gate, now, undefined);
        const wait = gate.check(ASK, now);
        waits.push(wait);
        now += wait;
      }
      expect(waits).toEqual([750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000]);
    });

    it('stays closed when an answer comes to a request that was sent before it closed', () => {
      const gate = gateOf();
      const [early, refused] = [gate.take(0), gate.take(0)];
      gate.refused(refused, 10, 5000, TOO_MANY);
      gate.passed(early, 20);
      expect(gate.check(ASK, 20)).toBe(4990);
    });

    it('stays closed when an answer comes to a probe of an earlier closing', () => {
      const gate = closed(100);
      const [slow] = burst(gate, 100);
      const [company] = burst(gate, 1100);
      if (!slow || !company) throw new Error('both should have been let pass');
      gate.passed(company, 1110);
      refuse(gate, 1120, 5000);
      gate.passed(slow, 1130);
      expect(gate.check(ASK, 1130)).toBe(4990);
    });

    it('stays closed when it comes in the moment of the new closing', () => {
      const gate = closed(100);
      const [slow] = burst(gate, 100);
      const [company] = burst(gate, 1100);
      if (!slow || !company) throw new Error('both should have been let pass');
      gate.passed(slow, 1100);
      refuse(gate, 1100, 5000);
      gate.passed(company, 1110);
      expect(gate.check(ASK, 1110)).toBe(4990);
    });

    it('stays closed when an answer comes to a probe that was sent before the last refusal', () => {
      const gate = closed(100);
      const [slow] = burst(gate, 100);
      const [company] = burst(gate, 1100);
      if (!slow || !company) throw new Error('both should have been let pass');
      gate.refused(company, 1110, 5000, TOO_MANY);
      gate.passed(slow, 1120);
      expect(gate.check(ASK, 1120)).toBe(4990);
    });

    it('is not opened by time alone', () => {
      const gate = closed(5000);
      expect(burst(gate, 1e9)).toHaveLength(1);
      expect(gate.refusal).toBeDefined();
    });
  });

  describe('closed, and refused again by a request that was sent before', () => {
    it('is held for longer where the later answer says so', () => {
      const gate = gateOf();
      const [first, second] = [gate.take(0), gate.take(0)];
      gate.refused(first, 10, 5000, TOO_MANY);
      const later: ResponseOutcome = { status: 429, source: 'github' };
      const { refusal, counted } = gate.refused(second, 20, 9000, later);
      expect(refusal).toMatchObject({ at: 20, delay: 9000, until: 9020, source: 'github', answer: later, refusals: 1, run: 0 });
      expect([counted, gate.refusal]).toEqual([true, refusal]);
    });

    it('is never held for a shorter time: the refusal stays the same', () => {
      const gate = gateOf();
      const passes = [1, 2, 3].map(() => gate.take(0));
      const [first, ...others] = passes;
      if (!first) throw new Error('it should have been let pass');
      const { refusal } = gate.refused(first, 10, 5000, TOO_MANY);
      const again = others.map((pass, n) => gate.refused(pass, 20 + n, n === 0 ? 1000 : undefined, TOO_MANY).refusal);
      expect(again).toEqual([refusal, refusal]);
      expect(again.every((one) => one === refusal)).toBe(true);
    });

    it('counts all of them as one refusal', () => {
      const gate = gateOf();
      const passes = Array.from({ length: 9 }, () => gate.take(0));
      passes.forEach((pass, n) => gate.refused(pass, n, 1000 * n, TOO_MANY));
      expect(gate.refusal).toMatchObject({ refusals: 1, run: 0 });
    });
  });

  describe('probing', () => {
    it('sends one request, and nothing beside it', () => {
      const gate = closed(5000);
      expect(burst(gate, 5000)).toHaveLength(1);
      expect(gate.check(ASK, 5001)).toBe(999);
    });

    it('gives a probe that is unanswered for a second company, by one', () => {
      const gate = closed(5000);
      burst(gate, 5000);
      expect([gate.check(ASK, 5999), burst(gate, 6000).length]).toEqual([1, 1]);
      expect(gate.check(ASK, 100_000)).toBe(Infinity);
    });

    it('is patient for four round trips, where they take longer', () => {
      const gate = gateOf();
      gate.passed(gate.take(0), 500);
      refuse(gate, 500, 5000);
      burst(gate, 5500);
      expect([gate.check(ASK, 7499), gate.check(ASK, 7500)]).toEqual([1, 0]);
    });

    it('gives it no company because a request has ended that was sent before', () => {
      const gate = gateOf();
      const [refused, early] = [gate.take(0), gate.take(0)];
      gate.refused(refused, 10, 5000, TOO_MANY);
      burst(gate, 5010);
      gate.lost(early);
      expect(gate.check(ASK, 5011)).toBe(999);
    });

    it('sends the next one as soon as its plan lets it, when one is refused', () => {
      const gate = closed(5000);
      const [probe] = burst(gate, 5000);
      gate.refused(probe, 5010, 100, TOO_MANY);
      expect([gate.check(ASK, 5109), burst(gate, 5110).length]).toEqual([1, 1]);
    });

    it('opens when the probe passes', () => {
      const gate = closed(5000);
      const [probe] = burst(gate, 5000);
      if (!probe) throw new Error('it should have been let pass');
      gate.passed(probe, 5010);
      expect(gate.refusal).toBeUndefined();
      expect(gate.check(ASK, 5010)).toBe(0);
    });

    it('hands the turn on when the probe ends without an answer that tells', () => {
      const gate = closed(5000);
      const [probe] = burst(gate, 5000);
      if (!probe) throw new Error('it should have been let pass');
      const { refusal } = gate;
      gate.lost(probe);
      expect([gate.check(ASK, 5001), gate.refusal]).toEqual([0, refusal]);
    });

    it('is closed again when the probe is refused, and counts that', () => {
      const gate = closed(5000);
      const { refusal, counted } = refuse(gate, 5000, 7000, 5010);
      expect(refusal).toMatchObject({ at: 5010, delay: 7000, until: 12_010, refusals: 2, run: 1 });
      expect(counted).toBe(true);
      expect([gate.check(ASK, 12_009), burst(gate, 12_010).length]).toEqual([1, 1]);
    });

    it('keeps the latest moment that the server has named, for those who wait for it', () => {
      const gate = closed(300_000);
      const probe = after(60_000);
      expect(gate.check(probe, 60_000)).toBe(0);
      const { refusal } = refuse(gate, 60_000, 10_000);
      expect(refusal).toMatchObject({ at: 60_000, delay: 10_000, until: 300_000 });
      expect([gate.check(ASK, 60_000), gate.check(probe, 60_000)]).toEqual([240_000, 60_000]);
    });

    it('is held for longer where a probe is told so', () => {
      const gate = closed(5000);
      refuse(gate, 5000, 60_000);
      expect(gate.check(ASK, 5000)).toBe(60_000);
    });
  });

  describe('run', () => {
    it('counts the probes in a row that were sent when the server had said', () => {
      const gate = closed(1000);
      const runs = [1000, 2000, 3000].map((now) => refuse(gate, now, 1000).refusal.run);
      expect(runs).toEqual([1, 2, 3]);
    });

    it('does not count probes that a plan sent before', () => {
      const gate = closed(300_000);
      const runs = [60_000, 120_000, 300_000].map((now) => refuse(gate, now, 240_000).refusal.run);
      // The second answer has put the moment off to 360 s.
      expect(runs).toEqual([0, 0, 0]);
      expect(refuse(gate, 540_000, 1000).refusal.run).toBe(1);
    });

    it('counts every probe where the server says nothing', () => {
      const gate = closed(undefined);
      expect([1000, 3000, 7000].map((now) => refuse(gate, now, undefined).refusal)).toMatchObject([
        { run: 1, refusals: 2 },
        { run: 2, refusals: 3 },
        { run: 3, refusals: 4 },
      ]);
    });

    it('is ended by a pass', () => {
      const gate = closed(1000);
      refuse(gate, 1000, 1000);
      gate.passed(gate.take(2000), 2000);
      expect(refuse(gate, 20_000, 1000).refusal).toMatchObject({ run: 0, refusals: 1 });
    });

    it('is not ended by a probe that is lost, nor counts it', () => {
      const gate = closed(1000);
      refuse(gate, 1000, 1000);
      gate.lost(gate.take(2000));
      expect(refuse(gate, 2001, 1000).refusal).toMatchObject({ run: 2, refusals: 3 });
    });

    it('counts two probes that were on their way together once', () => {
      const gate = closed(1000);
      const [first, company] = [...burst(gate, 1000), ...burst(gate, 2000)];
      if (!first || !company) throw new Error('both should have been let pass');
      gate.refused(first, 2010, 5000, TOO_MANY);
      expect(gate.refused(company, 2020, 5000, TOO_MANY).refusal).toMatchObject({ run: 1, refusals: 2, until: 7020 });
    });
  });

  describe('told a zero', () => {
    it('lets a probe go at once, once in a row', () => {
      const gate = closed(0, 0.5);
      expect(gate.refusal).toMatchObject({ delay: 0, until: 0 });
      expect(gate.check(ASK, 0)).toBe(0);
      const { refusal } = refuse(gate, 0, 0);
      expect(refusal).toMatchObject({ delay: undefined, refusals: 2 });
      expect(gate.check(ASK, 0)).toBe(1500);
    });

    it('believes one for all who wait, not one for each', () => {
      const gate = gateOf();
      const passes = [1, 2, 3].map(() => gate.take(0));
      passes.forEach((pass) => gate.refused(pass, 10, 0, TOO_MANY));
      expect(gate.check(ASK, 10)).toBe(0);
      refuse(gate, 10, 0);
      expect(gate.check(ASK, 10)).toBeGreaterThan(0);
    });

    it('believes it again when a request has passed', () => {
      const gate = closed(0);
      gate.passed(gate.take(0), 0);
      refuse(gate, 20_000, 0);
      expect(gate.refusal).toMatchObject({ delay: 0 });
    });

    it('believes it again behind a delay', () => {
      const gate = closed(0);
      refuse(gate, 0, 1000);
      refuse(gate, 1000, 0);
      expect(gate.refusal).toMatchObject({ delay: 0 });
    });
  });

  describe('opening', () => {
    /** A gate that has opened at 5010, by a probe that took 10 ms. */
    function opened(): Gate {
      const gate = closed(5000);
      gate.passed(gate.take(5000), 5010);
      return gate;
    }

    it('lets twice as many go with every round trip', () => {
      const gate = opened();
      const sent = [5010, 5020, 5030, 5040].map((now) => {
        const passes = burst(gate, now);
        for (const pass of passes) gate.passed(pass, now + 10);
        return passes.length;
      });
      expect(sent).toEqual([2, 4, 8, 16]);
    });

    it('is open a second later, where round trips are short', () => {
      const gate = opened();
      burst(gate, 5010);
      expect([gate.check(ASK, 5020), gate.check(ASK, 6009)]).toEqual([990, 1]);
      expect(burst(gate, 6010)).toHaveLength(99);
    });

    it('is open eight round trips later, where they are long', () => {
      const gate = closed(5000);
      gate.passed(gate.take(5000), 5500);
      burst(gate, 5500);
      expect([gate.check(ASK, 9499), burst(gate, 9500).length]).toEqual([1, 99]);
    });

    it('lets the next go when one is lost', () => {
      const gate = opened();
      const [first] = burst(gate, 5010);
      if (!first) throw new Error('it should have been let pass');
      gate.lost(first);
      expect(burst(gate, 5020)).toHaveLength(1);
    });

    it('closes on a refusal', () => {
      const gate = opened();
      const [first] = burst(gate, 5010);
      if (!first) throw new Error('it should have been let pass');
      const { refusal } = gate.refused(first, 5020, 7000, TOO_MANY);
      expect(refusal).toMatchObject({ until: 12_020, refusals: 1, run: 0 });
      expect(gate.check(ASK, 5020)).toBe(7000);
    });
  });

  describe('withdrawn', () => {
    it('is as if it had never closed, where the refusal concerned one request only', () => {
      const gate = gateOf();
      refuse(gate, 0, 5000).withdraw();
      expect(gate.refusal).toBeUndefined();
      expect(burst(gate, 1)).toHaveLength(99);
    });

    it('stays closed where another refusal has confirmed it', () => {
      const gate = gateOf();
      const [first, second] = [gate.take(0), gate.take(0)];
      const hold = gate.refused(first, 10, 5000, TOO_MANY);
      gate.refused(second, 20, 1000, TOO_MANY);
      hold.withdraw();
      expect(gate.check(ASK, 20)).toBe(4990);
    });

    it('stays closed where the one that confirmed it is withdrawn', () => {
      const gate = gateOf();
      const [first, second] = [gate.take(0), gate.take(0)];
      gate.refused(first, 10, 5000, TOO_MANY);
      gate.refused(second, 20, 9000, TOO_MANY).withdraw();
      expect(gate.check(ASK, 20)).toBe(9000);
    });

    it('is not opened by a word about an earlier closing', () => {
      const gate = gateOf();
      const hold = refuse(gate, 0, 100);
      gate.passed(gate.take(100), 100);
      refuse(gate, 20_000, 5000);
      hold.withdraw();
      expect(gate.check(ASK, 20_000)).toBe(5000);
    });

    it('is open though an earlier closing had been confirmed', () => {
      const gate = gateOf();
      const [first, second] = [gate.take(0), gate.take(0)];
      gate.refused(first, 10, 100, TOO_MANY);
      gate.refused(second, 20, 100, TOO_MANY);
      gate.passed(gate.take(120), 130);
      refuse(gate, 20_000, 5000).withdraw();
      expect(gate.refusal).toBeUndefined();
    });

    it('believes a zero again', () => {
      const gate = gateOf();
      refuse(gate, 0, 0).withdraw();
      expect(refuse(gate, 1, 0).refusal).toMatchObject({ delay: 0 });
    });

    it('does not end the count of requests in flight of a slow start that comes later', () => {
      const gate = gateOf();
      refuse(gate, 0, 5000).withdraw();
      refuse(gate, 10, 5000);
      gate.passed(gate.take(5010), 5020);
      expect(burst(gate, 5020)).toHaveLength(2);
    });
  });

  describe('joined to a refusal of another gate', () => {
    it('holds by that', () => {
      const [gate, other] = [gateOf(), closed(5000)];
      if (!other.refusal) throw new Error('it should be closed');
      gate.join(other.refusal);
      expect([gate.refusal, gate.check(ASK, 0)]).toEqual([other.refusal, 5000]);
      expect([burst(gate, 5000).length, gate.check(ASK, 5000)]).toEqual([1, 1000]);
    });

    it('keeps the longer of two', () => {
      const [gate, sooner, later] = [closed(5000), closed(3000), closed(9000)];
      if (!sooner.refusal || !later.refusal) throw new Error('they should be closed');
      gate.join(sooner.refusal);
      expect(gate.check(ASK, 0)).toBe(5000);
      gate.join(later.refusal);
      expect(gate.check(ASK, 0)).toBe(9000);
    });

    it('is confirmed by it: what concerned one request only does not open it', () => {
      const gate = gateOf();
      const hold = refuse(gate, 0, 5000);
      const other = closed(9000);
      if (!other.refusal) throw new Error('it should be closed');
      gate.join(other.refusal);
      hold.withdraw();
      expect(gate.check(ASK, 0)).toBe(9000);
    });

    it('is confirmed by a shorter one, too', () => {
      const gate = gateOf();
      const hold = refuse(gate, 0, 9000);
      const other = closed(5000);
      if (!other.refusal) throw new Error('it should be closed');
      gate.join(other.refusal);
      hold.withdraw();
      expect(gate.check(ASK, 0)).toBeGreaterThanOrEqual(5000);
    });

    it('is not opened by requests that were on their way', () => {
      const gate = gateOf();
      const early = gate.take(0);
      const other = closed(5000);
      if (!other.refusal) throw new Error('it should be closed');
      gate.join(other.refusal);
      gate.passed(early, 10);
      expect(gate.check(ASK, 10)).toBe(4990);
    });
  });
});
