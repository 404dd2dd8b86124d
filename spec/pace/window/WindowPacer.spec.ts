import { describe, expect, it } from 'vitest';
import { WindowPacer } from '../../../src/pace/window/WindowPacer.js';

/** A window of 300 s that allows 100 requests, as its answers tell of it. */
const RULE = { quota: 100, window: 300_000 };
const SLOT = 1750;
/** A wait of 60 s, announced at 0 in whole seconds, ends between 59 and 60: clients count from the middle. */
const OPENED = 59_500;

/** A pacer whose draws are all `draw`, and a way to have it answered. */
function pacerOf(draw = 0.5) {
  const pacer = new WindowPacer(
    () => draw,
    () => undefined,
  );
  const pass = (at: number, remaining: number, reset: number): void => {
    expect(pacer.check(at, 50)).toBe(0);
    pacer.passed(pacer.take(at), at, { ...RULE, remaining, reset });
  };
  const reject = (at: number, wait: number): void => pacer.rejected(pacer.take(at), at, { ...RULE, remaining: 0, reset: wait }, wait);
  return { pacer, pass, reject };
}

/** How many go at `now` without an answer in between. */
function burst(pacer: WindowPacer, now: number): number {
  let sent = 0;
  for (; pacer.check(now, 50) === 0; sent++) pacer.take(now);
  return sent;
}

describe('WindowPacer', () => {
  it('is free at first: one request, then its part of what is left by how fast it falls', () => {
    const { pacer, pass } = pacerOf();
    expect(pacer.phase).toBe('free');
    // Of the ten that are gone one was its own: a tenth of the ninety that are left.
    pass(0, 90, 300_000);
    let sent = 1;
    for (let now = 1; pacer.phase === 'free' && pacer.check(now, 50) === 0; now++, sent++) pass(now, 90 - 10 * sent, 300_000);
    expect(sent).toBe(10);
  });

  it('closes on a 429 until its full hint, and calls the roll at a moment of its own', () => {
    const { pacer, reject } = pacerOf(0.5);
    reject(0, 60_000);
    expect([pacer.phase, pacer.gate, pacer.ends]).toEqual(['call', OPENED + 0.5 * SLOT, 60_000]);
  });

  it('sends nothing before the hint, however early the moment that it draws', () => {
    const { pacer, reject } = pacerOf(0.1);
    reject(0, 60_000);
    expect(pacer.gate).toBe(60_000);
  });

  it('closes when nothing remains, without a 429', () => {
    const { pacer, pass } = pacerOf();
    pass(0, 0, 300_000);
    expect(pacer.phase).toBe('call');
    expect(pacer.check(1, 50)).toBeGreaterThanOrEqual(299_999);
  });

  it('counts the clients by the roll call, and rations in the next slot, who came last first', () => {
    const { pacer, reject, pass } = pacerOf(0.9);
    reject(0, 60_000);
    // At nine tenths of the slot ten clients have sent one request each.
    pass(OPENED + 0.9 * SLOT, 90, 300_000);
    expect(pacer.clients).toBe(10);
    expect([pacer.phase, pacer.gate]).toEqual(['ration', OPENED + (1.2 + 0.8 * 0.05) * SLOT]);
  });

  it('divides what it finds by its number in the call, as that many are still to come', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 0.5 * SLOT, 94, 300_000); // the sixth of ten
    pass(pacer.gate, 44, 300_000);
    let sent = 1;
    for (let now = pacer.gate + 1; pacer.phase === 'ration' && pacer.check(now, 50) === 0; now++, sent++) pass(now, 44 - sent, 300_000);
    expect(sent).toBe(7);
  });

  it('takes all that is left as the first of the call, who is the last in the line', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 0.5 * SLOT, 99, 300_000);
    pass(pacer.gate, 44, 300_000);
    let left = 44;
    for (let now = pacer.gate + 1; pacer.phase === 'ration' && pacer.check(now, 50) === 0; now++) pass(now, --left, 300_000);
    expect(left).toBe(0);
  });

  it('leaves the window to others where there are more clients than requests', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 0.5 * SLOT, 2, 300_000);
    expect([pacer.phase, pacer.ends]).toEqual(['call', OPENED + 0.5 * SLOT + 300_000]);
    expect(pacer.gate).toBeGreaterThanOrEqual(pacer.ends);
  });

  it('takes a turn that is left if clients come whole, though the count is no whole number', () => {
    const { pacer, reject, pass } = pacerOf(0.39);
    reject(0, 60_000);
    pass(OPENED + 0.39 * SLOT, 67, 300_000);
    expect(pacer.clients).toBeCloseTo(67.3, 1);
    expect(pacer.phase).toBe('ration');
  });

  it('still has a number when its call comes in the gap before the rations', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 1.1 * SLOT, 90, 295_000);
    expect([pacer.phase, pacer.clients]).toEqual(['ration', 10]);
  });

  it('takes its part as in a first window when it comes too late for the call', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 3 * SLOT, 40, 295_000);
    expect([pacer.phase, pacer.check(OPENED + 3 * SLOT, 50)]).toEqual(['free', 0]);
  });

  it('looks for what others left when its own work is near its end, after all have had their turns', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 0.5 * SLOT, 94, 300_000);
    pass(pacer.gate, 11, 300_000); // two for each
    pass(pacer.gate + 1, 10, 300_000);
    pacer.check(pacer.gate + 2, 9);
    expect(pacer.phase).toBe('look');
    expect(pacer.gate).toBeGreaterThan(OPENED + 2 * SLOT);
  });

  it('leaves it as long as there is more work', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(OPENED + 0.5 * SLOT, 94, 300_000);
    pass(pacer.gate, 11, 300_000);
    pass(pacer.gate + 1, 10, 300_000);
    pacer.check(pacer.gate + 2, 10);
    expect(pacer.phase).toBe('call');
  });

  it('is a plain gate as soon as a 429 says that requests are left: it opens with the hint, and everything may go', () => {
    const { pacer, pass } = pacerOf(0.5);
    pacer.rejected(pacer.take(0), 0, { ...RULE, remaining: 50, reset: 60_000 }, 60_000);
    expect([pacer.phase, pacer.gate]).toEqual(['call', 60_000]);
    for (let now = 60_000; now < 60_020; now++) pass(now, 0, 300_000);
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

  it('skips the roll call when it is alone, and takes all that there is', () => {
    const { pacer, reject, pass } = pacerOf(0.9);
    reject(0, 60_000);
    pass(OPENED + 0.9 * SLOT, 99, 300_000);
    for (let now = pacer.gate, left = 98; pacer.phase === 'ration' && pacer.check(now, 500) === 0; now++, left--) pass(now, left, 300_000);
    expect([pacer.clients, pacer.phase]).toEqual([1, 'roll']);
    expect(pacer.gate).toBeLessThan(pacer.ends + 250);
  });

  it('rolls where the wait told at an opening is short against the window: quota trickles back', () => {
    const { pacer, reject } = pacerOf(0.5);
    reject(0, 60_000);
    reject(60_375, 3000);
    expect([pacer.phase, pacer.gate]).toEqual(['roll', 60_375 + 3000 + 0.5 * SLOT]);
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
    expect([pacer.phase, pacer.gate, burst(pacer, gate)]).toEqual(['call', gate, 1]);
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
    expect([burst(pacer, 60_000), pacer.phase]).toEqual([1, 'call']);
  });
});
