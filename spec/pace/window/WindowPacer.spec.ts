import { describe, expect, it } from 'vitest';
import { WindowPacer } from '../../../src/pace/window/WindowPacer.js';

/** A window of 300 s that allows 100 requests, as its answers tell of it. */
const RULE = { quota: 100, window: 300_000 };
const SLOT = 1750;
/** A wait of 60 s, announced at 0 in whole seconds, ends between 59 and 60: clients count from the middle. */
const OPENED = 59_500;

/** A pacer whose draws are all `draw`, and a way to have it answered. */
function pacerOf(draw = 0.5, initial = 1) {
  const pacer = new WindowPacer(
    () => draw,
    () => undefined,
    { initial, maxHint: 900_000 },
  );
  const pass = (at: number, remaining: number, reset: number): void => {
    expect(pacer.check(at, 50)).toBe(0);
    pacer.passed(pacer.take(at), at, { ...RULE, remaining, reset });
  };
  const reject = (at: number, wait: number): void => pacer.rejected(pacer.take(at), at, { ...RULE, remaining: 0, reset: wait }, wait);
  return { pacer, pass, reject };
}

/** Requests that go at `now` without an answer in between. */
function burst(pacer: WindowPacer, now: number): number {
  let sent = 0;
  for (; pacer.check(now, 50) === 0; sent++) pacer.take(now);
  return sent;
}

describe('WindowPacer', () => {
  it('is unpaced at first: one request, then its share of the rest by how fast it falls', () => {
    const { pacer, pass } = pacerOf();
    expect(pacer.phase).toBe('unpaced');
    // One of the ten that are gone was its own: a tenth of the ninety that are left.
    pass(0, 90, 300_000);
    let sent = 1;
    for (let now = 1; pacer.phase === 'unpaced' && pacer.check(now, 50) === 0; now++, sent++) pass(now, 90 - 10 * sent, 300_000);
    expect(sent).toBe(10);
  });

  it('sends one request before the first answer has come, or as many as it is told', () => {
    expect([burst(pacerOf().pacer, 0), burst(pacerOf(0.5, 6).pacer, 0)]).toEqual([1, 6]);
  });

  it('takes its share of the rest behind several first requests, too', () => {
    const { pacer } = pacerOf(0.5, 3);
    const passes = [0, 0, 0].map((now) => pacer.take(now));
    expect(pacer.check(0, 50)).toBe(1000);
    passes.forEach((pass, n) => pacer.passed(pass, 10, { ...RULE, remaining: 97 - n, reset: 300_000 }));
    expect(pacer.check(10, 50)).toBe(0);
    expect(burst(pacer, 10)).toBeGreaterThan(1);
  });

  it('gives company to first requests that stay unanswered for a second', () => {
    const { pacer } = pacerOf(0.5, 6);
    expect(burst(pacer, 0)).toBe(6);
    expect([pacer.check(999, 50), pacer.check(1000, 50)]).toEqual([1, 0]);
  });

  it('closes on a 429 until its full hint, and probes at a moment of its own', () => {
    const { pacer, reject } = pacerOf(0.5);
    reject(0, 60_000);
    expect([pacer.phase, pacer.gate, pacer.ends]).toEqual(['probe', OPENED + 0.5 * SLOT, 60_000]);
  });

  it('sends nothing before the hint, however early the moment that it draws', () => {
    const { pacer, reject } = pacerOf(0.1);
    reject(0, 60_000);
    expect(pacer.gate).toBe(60_000);
  });

  it('closes when nothing remains, without a 429', () => {
    const { pacer, pass } = pacerOf();
    pass(0, 0, 300_000);
    expect(pacer.phase).toBe('probe');
    expect(pacer.check(1, 50)).toBeGreaterThanOrEqual(299_999);
  });

  it('estimates the clients by its probe, and takes its share in the next slot, the last to come first', () => {
    const { pacer, reject, pass } = pacerOf(0.9);
    reject(0, 60_000);
    // At nine tenths of the slot ten clients have sent one request each.
    pass(OPENED + 0.9 * SLOT, 90, 300_000);
    expect(pacer.clients).toBe(10);
    expect([pacer.phase, pacer.gate]).toEqual(['share', OPENED + (1.2 + 0.8 * 0.05) * SLOT]);
  });

  it('tells the others of the clients only once two windows have told of them', () => {
    const { pacer, reject, pass } = pacerOf(0.9);
    reject(0, 60_000);
    pass(OPENED + 0.9 * SLOT, 90, 300_000);
    expect([pacer.clients, pacer.agreedClients]).toEqual([10, 1]);
    pass(pacer.gate, 0, 290_000);
    expect(pacer.phase).toBe('probe');
    pass(pacer.gate, 90, 300_000);
    expect(pacer.agreedClients).toBeGreaterThan(5);
    expect(pacer.agreedClients).toBe(pacer.clients);
  });

  it('divides what it finds by its rank, as that many are still to come', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 0.5 * SLOT, 94, 300_000); // the sixth of ten
    pass(pacer.gate, 44, 300_000);
    let sent = 1;
    for (let now = pacer.gate + 1; pacer.phase === 'share' && pacer.check(now, 50) === 0; now++, sent++) pass(now, 44 - sent, 300_000);
    expect(sent).toBe(7);
  });

  it('takes all that is left as the first to have probed, which is the last to take', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 0.5 * SLOT, 99, 300_000);
    pass(pacer.gate, 44, 300_000);
    let left = 44;
    for (let now = pacer.gate + 1; pacer.phase === 'share' && pacer.check(now, 50) === 0; now++) pass(now, --left, 300_000);
    expect(left).toBe(0);
  });

  it('leaves the window to others where there are more clients than requests', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 0.5 * SLOT, 2, 300_000);
    expect([pacer.phase, pacer.ends]).toEqual(['probe', OPENED + 0.5 * SLOT + 300_000]);
    expect(pacer.gate).toBeGreaterThanOrEqual(pacer.ends);
  });

  it('takes a turn that is left if clients come whole, though the estimate is no whole number', () => {
    const { pacer, reject, pass } = pacerOf(0.39);
    reject(0, 60_000);
    pass(OPENED + 0.39 * SLOT, 67, 300_000);
    expect(pacer.clients).toBeCloseTo(67.3, 1);
    expect(pacer.phase).toBe('share');
  });

  it('still has a rank when its probe comes in the gap before the shares', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 1.1 * SLOT, 90, 295_000);
    expect([pacer.phase, pacer.clients]).toEqual(['share', 10]);
  });

  it('takes its share as in a first window when it probes too late', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 3 * SLOT, 40, 295_000);
    expect([pacer.phase, pacer.check(OPENED + 3 * SLOT, 50)]).toEqual(['unpaced', 0]);
  });

  it('reclaims what others left when its own work is near its end, after all have had their passes', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 0.5 * SLOT, 94, 300_000);
    pass(pacer.gate, 11, 300_000); // two for each
    pass(pacer.gate + 1, 10, 300_000);
    pacer.check(pacer.gate + 2, 9);
    expect(pacer.phase).toBe('reclaim');
    expect(pacer.gate).toBeGreaterThan(OPENED + 2 * SLOT);
  });

  it('reclaims nothing as long as there is more work', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 0.5 * SLOT, 94, 300_000);
    pass(pacer.gate, 11, 300_000);
    pass(pacer.gate + 1, 10, 300_000);
    pacer.check(pacer.gate + 2, 10);
    expect(pacer.phase).toBe('probe');
  });

  describe('that hears of a 429 which says that requests are left', () => {
    const lie = { ...RULE, remaining: 50, reset: 60_000 };

    it('lets everything go, whatever remains from then on: the gate alone holds', () => {
      const { pacer, pass } = pacerOf();
      pacer.implausibleReset(pacer.take(0), 0, lie);
      expect([pacer.phase, pacer.gate]).toEqual(['unpaced', 0]);
      for (let now = 1; now < 20; now++) pass(now, 0, 300_000);
      for (let sent = 0; sent < 100; sent++) {
        expect(pacer.check(20, 500)).toBe(0);
        pacer.take(20);
      }
    });

    it('waits for no answer any more', () => {
      const { pacer } = pacerOf();
      pacer.implausibleReset(pacer.take(0), 0, lie);
      for (let sent = 0; sent < 50; sent++) {
        expect(pacer.check(1, 500)).toBe(0);
        pacer.take(1);
      }
    });

    it('does not close by an answer that came late', () => {
      const { pacer, pass } = pacerOf();
      pass(0, 90, 300_000);
      const [refused, late] = [pacer.take(1), pacer.take(1)];
      pacer.implausibleReset(refused, 2, lie);
      pacer.passed(late, 3, { ...RULE, remaining: 0, reset: 299_000 });
      expect([pacer.phase, pacer.check(4, 50)]).toEqual(['unpaced', 0]);
    });

    it('keeps what it has begun since where the request is one of an earlier phase', () => {
      const { pacer, pass } = pacerOf();
      pass(0, 90, 300_000);
      const [first, late] = [pacer.take(1), pacer.take(1)];
      pacer.rejected(first, 2, { ...RULE, remaining: 0, reset: 60_000 }, 60_000);
      const { gate } = pacer;
      pacer.implausibleReset(late, 3, lie);
      expect([pacer.phase, pacer.gate]).toEqual(['probe', gate]);
    });

    it('believes again as soon as a 429 says that nothing is left', () => {
      const { pacer, reject } = pacerOf();
      pacer.implausibleReset(pacer.take(0), 0, lie);
      reject(1000, 60_000);
      expect([pacer.phase, pacer.gate]).toEqual(['probe', 60_500 + 0.5 * SLOT]);
    });
  });

  describe('that hears of a refusal with nothing left', () => {
    const wait = (reset: number, asked: number | undefined, now = 0, { pacer } = pacerOf()): number =>
      pacer.waitAfterRefusal(now, reset, asked);

    it('waits until the reset where the server asks for no delay of its own', () => {
      expect(wait(60_000, undefined)).toBe(60_000);
    });

    it('waits for the server’s own delay, if that is sooner, once for each reset', () => {
      const own = pacerOf();
      expect(wait(60_000, 7000, 0, own)).toBe(7000);
      // The same reset, as it is told 7 s later, in whole seconds.
      expect(wait(53_000, 7000, 7000, own)).toBe(53_000);
      expect(wait(52_500, 7000, 7000, own)).toBe(52_500);
      expect(wait(60_000, 7000, 60_000, own)).toBe(7000);
    });

    it('takes a delay that is no more than rounding longer than the reset, and no longer one', () => {
      expect([wait(60_000, 60_000), wait(60_000, 61_000), wait(60_000, 61_001)]).toEqual([60_000, 61_000, 60_000]);
    });

    it('takes a zero once', () => {
      const own = pacerOf();
      expect([wait(60_000, 0, 0, own), wait(60_000, 0, 10, own)]).toEqual([0, 60_000]);
    });
  });

  describe('that hears of a reset so far away that it may be none', () => {
    const FAR = 900_001;

    it('finds out at once by one request, where the server has never refused', () => {
      const { pacer, pass } = pacerOf();
      pass(0, 0, FAR);
      expect([pacer.phase, pacer.gate, burst(pacer, 1)]).toEqual(['reclaim', 0, 1]);
    });

    it('lets everything go when that one passes: nothing was the matter', () => {
      const { pacer, pass } = pacerOf();
      pass(0, 0, FAR);
      for (let now = 1; now < 20; now++) pass(now, 0, FAR);
      expect(pacer.gate).toBeLessThanOrEqual(20);
    });

    it('closes until the reset when that one is refused', () => {
      const { pacer, pass, reject } = pacerOf();
      pass(0, 0, FAR);
      reject(1, FAR);
      expect(pacer.phase).toBe('probe');
      expect(pacer.check(2, 50)).toBeGreaterThanOrEqual(FAR - 1);
    });

    it('closes at once where the server has refused before', () => {
      const { pacer, pass, reject } = pacerOf();
      reject(0, 5000);
      pass(pacer.gate, 98, 300_000);
      const { gate: now } = pacer;
      expect(pacer.phase).toBe('share');
      pass(now, 0, FAR);
      expect(pacer.phase).not.toBe('reclaim');
      expect(pacer.gate).toBeGreaterThan(now + 200_000);
    });

    it('closes by one that is near enough', () => {
      const { pacer, pass } = pacerOf();
      pass(0, 0, 900_000);
      expect(pacer.phase).toBe('probe');
      expect(pacer.check(1, 50)).toBeGreaterThanOrEqual(899_999);
    });
  });

  it('is a plain gate as soon as requests pass that were sent when nothing was left', () => {
    const { pacer, pass } = pacerOf();
    pass(0, 90, 300_000);
    const [before, after] = [pacer.take(1), pacer.take(3)];
    pacer.passed(before, 2, { ...RULE, remaining: 0, reset: 300_000 });
    expect(pacer.check(4, 50)).toBeGreaterThan(290_000);
    pacer.passed(after, 4, { ...RULE, remaining: 0, reset: 300_000 });
    for (let now = 5; now < 25; now++) pass(now, 0, 300_000);
  });

  it('skips the shares when it is alone, and takes all that there is', () => {
    const { pacer, reject, pass } = pacerOf(0.9);
    reject(0, 60_000);
    pass(OPENED + 0.9 * SLOT, 99, 300_000);
    for (let now = pacer.gate, left = 98; pacer.phase === 'share' && pacer.check(now, 500) === 0; now++, left--) pass(now, left, 300_000);
    expect([pacer.clients, pacer.phase]).toEqual([1, 'trickle']);
    expect(pacer.gate).toBeLessThan(pacer.ends + 250);
  });

  it('takes what there is where the wait told at an opening is short against the window: quota trickles back', () => {
    const { pacer, reject } = pacerOf(0.5);
    reject(0, 60_000);
    reject(60_375, 3000);
    expect([pacer.phase, pacer.gate]).toEqual(['trickle', 60_375 + 3000 + 0.5 * SLOT]);
    reject(65_500, 3000);
    expect(pacer.gate).toBe(65_500 + 3000 + 0.5 * 2 * SLOT);
  });

  it('does not count answers to requests of an earlier phase', () => {
    const { pacer, pass } = pacerOf();
    pass(0, 90, 300_000);
    const [early, late] = [pacer.take(1), pacer.take(1)];
    pacer.rejected(early, 2, { ...RULE, remaining: 0, reset: 60_000 }, 60_000);
    const { gate } = pacer;
    pacer.passed(late, gate, { ...RULE, remaining: 50, reset: 299_000 });
    expect([pacer.phase, pacer.gate, burst(pacer, gate)]).toEqual(['probe', gate, 1]);
  });

  it('sends nothing before the gate, and one when it opens', () => {
    const { pacer, reject } = pacerOf(0);
    reject(0, 5000);
    expect([burst(pacer, 4999), burst(pacer, 5000)]).toEqual([0, 1]);
  });

  it('is not held up beyond the window by requests whose answers take longer', () => {
    const { pacer } = pacerOf(0);
    pacer.passed(pacer.take(0), 0, { quota: 3, window: 60_000, remaining: 2, reset: 60_000 });
    // All that is left goes to two long polls.
    expect([burst(pacer, 1), pacer.check(1, 50)]).toEqual([2, 59_999]);
    expect([burst(pacer, 60_000), pacer.phase]).toEqual([1, 'probe']);
  });
});
