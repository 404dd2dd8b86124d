import { describe, expect, it } from 'vitest';
import type { FleetRun } from '../../src/simulate/fleet.js';
import { score, summary } from '../../src/simulate/score.js';
import { table } from '../../src/simulate/table.js';

const run: FleetRun = {
  arrivals: Array.from({ length: 25 }, (_, i) => ({ at: i, shard: 0, status: i < 20 ? 201 : 429 })),
  ends: [5000, 15_000],
  succeeded: 20,
  lost: 1,
  early: 2,
  mostRejections: 3,
};

describe('score', () => {
  it('puts the end in proportion to the windows that the limit asks for', () => {
    expect(score(run, { limit: 10, window: 10_000 })).toEqual({
      lost: 1,
      end: 1.5,
      seconds: 15,
      sent: 1.25,
      early: 2,
      fairness: 0.8,
      mostRejections: 3,
    });
  });

  it('gives the end in seconds where one window is enough', () => {
    expect(score(run, { limit: 20, window: 10_000 }).end).toBe(15);
  });

  it('sums several runs up by means, but by the most 429s and all that was early', () => {
    const one = score(run, { limit: 10, window: 10_000 });
    expect(summary([one, { ...one, lost: 0, early: 0, sent: 1.75, mostRejections: 5 }])).toMatchObject({
      lost: 0.5,
      early: 2,
      sent: 1.5,
      mostRejections: 5,
    });
  });

  it('is shown in columns', () => {
    const line = score(run, { limit: 10, window: 10_000 });
    expect(table([['two', line]]).split('\n')).toEqual([
      '     lost    end   sent  early  Jain  429s',
      'two   1.0  1.500  1.250      2  0.80     3',
    ]);
  });
});
