import { describe, expect, it } from 'vitest';
import { WindowPacer } from '../../src/pace/WindowPacer.js';

/** A window of 300 s that allows 100 requests, as its answers tell of it. */
const RULE = { quota: 100, window: 300_000 };
const SLOT = 2500;

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
    expect([pacer.phase, pacer.gate, pacer.ends]).toEqual(['call', 60_000 + 0.5 * SLOT, 60_000]);
  });

  it('closes when nothing remains, without a 429', () => {
    const { pacer, pass } = pacerOf();
    pass(0, 0, 300_000);
    expect(pacer.phase).toBe('call');
    expect(pacer.check(1, 50)).toBeGreaterThanOrEqual(299_999);
  });

  it('counts the clients by the roll call, and rations one slot later', () => {
    const { pacer, reject, pass } = pacerOf(0.9);
    reject(0, 60_000);
    // At nine tenths of the slot ten clients have sent one request each.
    pass(62_250, 90, 300_000);
    expect(pacer.clients).toBe(10);
    expect([pacer.phase, pacer.gate]).toEqual(['ration', 60_000 + 1.9 * SLOT]);
  });

  it('takes its fair part at the ration: of what is left, by who is still to come', () => {
    const { pacer, reject, pass } = pacerOf(0.5);
    reject(0, 60_000);
    pass(61_250, 94, 300_000); // six in 0.6 of a slot: ten clients
    pass(63_750, 44, 300_000); // half of them have had their ration: 45 for 5.5
    let sent = 1;
    for (let now = 63_751; pacer.phase === 'ration' && pacer.check(now, 50) === 0; now++, sent++) pass(now, 44 - sent, 300_000);
    expect(sent).toBeGreaterThanOrEqual(8);
    expect(sent).toBeLessThanOrEqual(9);
  });

  it('skips the roll call when it is alone, and takes all that there is', () => {
    const { pacer, reject, pass } = pacerOf(0.9);
    reject(0, 60_000);
    pass(62_250, 99, 300_000);
    for (let now = 64_750, left = 98; pacer.phase === 'ration' && pacer.check(now, 500) === 0; now++, left--) pass(now, left, 300_000);
    expect([pacer.clients, pacer.phase]).toEqual([1, 'roll']);
    expect(pacer.gate).toBeLessThan(362_250 + 250);
  });

  it('rolls where the wait told at an opening is short against the window: quota trickles back', () => {
    const { pacer, reject } = pacerOf(0.5);
    reject(0, 60_000);
    reject(61_250, 3000);
    expect([pacer.phase, pacer.gate]).toEqual(['roll', 61_250 + 3000 + 0.5 * SLOT]);
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
