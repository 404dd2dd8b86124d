import { describe, expect, it } from 'vitest';
import type { FleetRun } from '../../src/simulate/fleet.js';
import { plot } from '../../src/simulate/plot.js';

const run = (arrivals: readonly [at: number, status: number][]): FleetRun => ({
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
    expect(plot(run(arrivals), { parts: 5, width: 10 }).split('\n')).toEqual([
      '     0 s |#######xxxx',
      '     2 s |',
      '     4 s |',
      '     6 s |',
      '     8 s |#',
    ]);
  });

  it('shows what happened, however little it was', () => {
    const many = Array.from({ length: 1000 }, (): [number, number] => [0, 201]);
    expect(plot(run([...many, [500, 429]]), { parts: 1, width: 10 })).toBe('     0 s |##########x');
  });

  it('draws a run without a request', () => {
    expect(plot(run([]), { parts: 2 }).split('\n')).toHaveLength(2);
  });
});
