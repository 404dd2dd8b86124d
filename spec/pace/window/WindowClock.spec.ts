import { describe, expect, it } from 'vitest';
import { WindowClock } from '../../../src/pace/window/WindowClock.js';

describe('WindowClock', () => {
  it('ends a window at the earliest of the announced ends, as they are rounded up', () => {
    const clock = new WindowClock();
    expect(clock.announced(0, 100, 60_000)).toBe(true);
    expect(clock.announced(950, 1000, 59_000)).toBe(false);
    expect([clock.ends, clock.isOver(59_999), clock.isOver(60_000)]).toEqual([60_000, false, true]);
  });

  it('counts the next window from the middle of the time in which this one must have ended', () => {
    const clock = new WindowClock();
    // Asked between 0 and 0.1 s it ends within 60 s rounded up: after 59 s and at 60.1 s at the latest.
    clock.announced(0, 100, 60_000);
    clock.close();
    expect([clock.opened, clock.opens]).toEqual([59_600, 60_100]);
  });

  it('takes rounding to be at most a second: the rest of what is not known is the way', () => {
    const clock = new WindowClock();
    clock.announced(0, 2400, 60_000);
    clock.close();
    expect([clock.opened, clock.opens]).toEqual([61_900, 62_400]);
  });

  it('knows it better with every answer', () => {
    const clock = new WindowClock();
    clock.announced(0, 100, 60_000);
    clock.announced(800, 900, 60_000);
    clock.announced(1000, 1100, 59_000);
    clock.close();
    expect([clock.opened, clock.opens]).toEqual([59_950, 60_100]);
  });

  it('begins a window when one that was announced is over', () => {
    const clock = new WindowClock();
    clock.announced(0, 0, 10_000);
    expect(clock.announced(9990, 10_000, 10_000)).toBe(true);
    expect(clock.ends).toBe(20_000);
  });

  it('tells quota that trickles back by a short wait right after an opening', () => {
    const clock = new WindowClock();
    clock.classify(40_000, 60_000, 1750);
    expect(clock.trickles).toBe(false);
    clock.classify(3000, 60_000, 1750);
    expect([clock.trickles, clock.spread]).toEqual([true, 1750]);
  });

  it('spreads single requests twice as far when one finds nothing, and a tenth closer when one does', () => {
    const clock = new WindowClock();
    clock.classify(3000, 60_000, 2000);
    clock.widen(60_000);
    expect(clock.spread).toBe(4000);
    clock.narrow(2000);
    expect(clock.spread).toBe(3600);
    for (let i = 0; i < 10; i++) clock.widen(60_000);
    expect(clock.spread).toBe(60_000);
  });
});
