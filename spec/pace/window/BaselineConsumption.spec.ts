import { describe, expect, it } from 'vitest';
import { BaselineConsumption } from '../../../src/pace/window/BaselineConsumption.js';
import { seeded } from '../../../src/simulate/seeded.js';

/** Baseline that is found by probes which were sent at these moments, and found so many requests used. */
function requestsAfter(probes: readonly (readonly [moment: number, used: number])[]): number {
  const baseline = new BaselineConsumption();
  for (const [moment, used] of probes) baseline.learn(moment, used);
  return baseline.requests;
}

/** Baseline that is found in windows in which so many clients send a probe, one of them at each of these moments. */
function baselineAfter(moments: readonly number[], clients: number, atOnce: number): number {
  return requestsAfter(moments.map((moment) => [moment, atOnce + Math.max(1, Math.round(clients * moment))]));
}

describe('BaselineConsumption', () => {
  it('finds consumption at the opening within three windows', () => {
    expect(baselineAfter([0.1, 0.9], 32, 100)).toBe(0);
    expect(baselineAfter([0.1, 0.9, 0.4], 32, 100)).toBeCloseTo(100, -1);
  });

  it('finds none where all clients send a probe', () => {
    expect(baselineAfter([0.8, 0.1, 0.5, 0.3, 0.9], 32, 0)).toBe(0);
  });

  it('takes chance for chance, 98 times of 100: which clients come before a probe is drawn', () => {
    const random = seeded(7);
    let mistakes = 0;
    for (let run = 0; run < 200; run++) {
      const baseline = new BaselineConsumption();
      for (let window = 0; window < 8; window++) {
        const moment = random();
        baseline.learn(moment, 1 + Array.from({ length: 31 }, random).filter((other) => other < moment).length);
        if (baseline.requests > 0) mistakes++;
      }
    }
    expect(mistakes).toBeLessThanOrEqual(0.02 * 200 * 8);
  });

  it('is not misled by one probe that came among the shares', () => {
    const probes = [
      [0.1, 3],
      [0.58, 198],
      [0.7, 22],
      [0.3, 9],
    ] as const;
    expect(requestsAfter(probes)).toBeLessThanOrEqual(2);
  });

  it('never finds more than a probe found used before itself', () => {
    const probes = [
      [0.9, 40],
      [0.5, 39],
      [0.1, 38],
    ] as const;
    expect(requestsAfter(probes)).toBe(37);
  });

  it('forgets clients that have gone', () => {
    const moments = [0.2, 0.8, 0.5, 0.9, 0.1, 0.4, 0.7, 0.3];
    const baseline = new BaselineConsumption();
    for (const moment of moments) baseline.learn(moment, 100 + Math.round(32 * moment));
    for (const moment of moments) baseline.learn(moment, Math.max(1, Math.round(32 * moment)));
    expect(baseline.requests).toBe(0);
  });

  it('finds nothing by probes that all came at the same moment', () => {
    expect(baselineAfter([0.5, 0.5, 0.5], 32, 100)).toBe(0);
  });
});
