import { describe, expect, it } from 'vitest';
import { Strangers } from '../../../src/pace/window/Strangers.js';
import { seeded } from '../../../src/simulate/seeded.js';

/** What is found by calls that were sent at these moments, and found so many requests used. */
function requestsAfter(calls: readonly (readonly [moment: number, used: number])[]): number {
  const strangers = new Strangers();
  for (const [moment, used] of calls) strangers.learn(moment, used);
  return strangers.requests;
}

/** What is found in windows in which so many clients answer the roll call, one of them at each of these moments. */
function strangersAfter(moments: readonly number[], clients: number, atOnce: number): number {
  return requestsAfter(moments.map((moment) => [moment, atOnce + Math.max(1, Math.round(clients * moment))]));
}

describe('Strangers', () => {
  it('finds those who take at once within three windows', () => {
    expect(strangersAfter([0.1, 0.9], 32, 100)).toBe(0);
    expect(strangersAfter([0.1, 0.9, 0.4], 32, 100)).toBeCloseTo(100, -1);
  });

  it('finds none where all answer the call', () => {
    expect(strangersAfter([0.8, 0.1, 0.5, 0.3, 0.9], 32, 0)).toBe(0);
  });

  it('takes chance for chance, 98 times of 100: who comes before a call is drawn', () => {
    const random = seeded(7);
    let mistakes = 0;
    for (let run = 0; run < 200; run++) {
      const strangers = new Strangers();
      for (let window = 0; window < 8; window++) {
        const moment = random();
        strangers.learn(moment, 1 + Array.from({ length: 31 }, random).filter((other) => other < moment).length);
        if (strangers.requests > 0) mistakes++;
      }
    }
    expect(mistakes).toBeLessThanOrEqual(0.02 * 200 * 8);
  });

  it('is not misled by one call that came among the rations', () => {
    const calls = [
      [0.1, 3],
      [0.58, 198],
      [0.7, 22],
      [0.3, 9],
    ] as const;
    expect(requestsAfter(calls)).toBeLessThanOrEqual(2);
  });

  it('never finds more than a call found before itself', () => {
    const calls = [
      [0.9, 40],
      [0.5, 39],
      [0.1, 38],
    ] as const;
    expect(requestsAfter(calls)).toBe(37);
  });

  it('forgets those who have gone', () => {
    const moments = [0.2, 0.8, 0.5, 0.9, 0.1, 0.4, 0.7, 0.3];
    const strangers = new Strangers();
    for (const moment of moments) strangers.learn(moment, 100 + Math.round(32 * moment));
    for (const moment of moments) strangers.learn(moment, Math.max(1, Math.round(32 * moment)));
    expect(strangers.requests).toBe(0);
  });

  it('finds nothing in calls that all came at the same moment', () => {
    expect(strangersAfter([0.5, 0.5, 0.5], 32, 100)).toBe(0);
  });
});
