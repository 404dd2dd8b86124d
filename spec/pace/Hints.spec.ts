import { describe, expect, it } from 'vitest';
import { Hints } from '../../src/pace/Hints.js';

const hints = (): Hints => new Hints(() => 1);

describe('Hints', () => {
  it('believes what is asked', () => {
    expect(hints().believe(86_399_000, 0)).toBe(86_399_000);
  });

  it('replaces a missing hint by 1, 2, 4 s and so on, at most 60 s', () => {
    const all = hints();
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(() => all.believe(undefined, 0))).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('counts requests that were in flight together once', () => {
    const all = hints();
    expect([0, 1000, 900, 0].map((closedFor) => all.believe(undefined, closedFor))).toEqual([1000, 1000, 900, 2000]);
  });

  it('believes a zero once, and again after a success', () => {
    const all = hints();
    expect([all.believe(0, 0), all.believe(0, 0), all.believe(0, 0)]).toEqual([0, 1000, 2000]);
    all.passed();
    expect([all.believe(0, 0), all.believe(0, 0)]).toEqual([0, 1000]);
  });

  it('jitters by half', () => {
    expect(new Hints(() => 0).believe(undefined, 0)).toBe(500);
  });
});
