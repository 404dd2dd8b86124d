import { describe, expect, it } from 'vitest';
import { gateBackoff, HintMemory } from '../../../src/pace/gate/HintMemory.js';

describe('HintMemory', () => {
  const accepted = (memory: HintMemory, ...delays: readonly (number | undefined)[]) => delays.map((delay) => memory.accepted(delay));

  it('believes what is asked, however long', () => {
    expect(accepted(new HintMemory(), 1, 86_399_000)).toEqual([1, 86_399_000]);
  });

  it('invents nothing where nothing is asked', () => {
    expect(accepted(new HintMemory(), undefined)).toEqual([undefined]);
  });

  it('believes a zero once in a row', () => {
    expect(accepted(new HintMemory(), 0, 0, 0, 5, 0, 0)).toEqual([0, undefined, undefined, 5, 0, undefined]);
  });

  it('remembers a zero over an answer that asks for nothing', () => {
    expect(accepted(new HintMemory(), 0, undefined, 0)).toEqual([0, undefined, undefined]);
  });

  it('believes a zero again when a request has passed', () => {
    const memory = new HintMemory();
    accepted(memory, 0);
    memory.clear();
    expect(accepted(memory, 0, 0)).toEqual([0, undefined]);
  });
});

describe('gateBackoff', () => {
  it('is 1, 2, 4 s and so on, at most 60 s', () => {
    const longest = [0, 1, 2, 3, 4, 5, 6, 7, 2000].map((index) => gateBackoff(index, () => 1));
    expect(longest).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('is jittered down to the half', () => {
    expect([0, 0.5].map((draw) => gateBackoff(1, () => draw))).toEqual([1000, 1500]);
  });
});
