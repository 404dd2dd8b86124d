import { describe, expect, it } from 'vitest';
import type { FleetRun } from '../../src/simulate/fleet.js';
import { plot, score, summary, table } from '../../src/simulate/fleetReport.js';

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

const runOf = (arrivals: readonly [at: number, status: number][]): FleetRun => ({
  arrivals: arrivals.map(([at, status]) => ({ at, status, shard: 0 })),
  ends: [],
  succeeded: 0,
  lost: 0,
  early: 0,
  mostRejections: 0,
});

describe('plot', () => {
  it('draws a line for each part of the time: what was answered, then the 429s', () => {
    const arrivals = [
      ...Array.from({ length: 10 }, (): [number, number] => [0, 201]),
      ...Array.from({ length: 5 }, (): [number, number] => [1000, 429]),
      [9999, 201] as [number, number],
    ];
    expect(plot(runOf(arrivals), { parts: 5, width: 10 }).split('\n')).toEqual([
      '     0 s |#######xxxx',
      '     2 s |',
      '     4 s |',
      '     6 s |',
      '     8 s |#',
    ]);
  });

  it('shows what happened, however little it was', () => {
    const many = Array.from({ length: 1000 }, (): [number, number] => [0, 201]);
    expect(plot(runOf([...many, [500, 429]]), { parts: 1, width: 10 })).toBe('     0 s |##########x');
  });

  it('draws a run without a request', () => {
    expect(plot(runOf([]), { parts: 2 }).split('\n')).toHaveLength(2);
  });
});
