import { describe, expect, it } from 'vitest';
import { policies } from 'coldfetch';
import { fleet, type FleetRun } from '../../../src/simulate/fleet.js';
import { fixedWindow } from '../../../src/simulate/servers/fixedWindow.js';
import { StandIn, standInLimiter } from './standIn.js';

const WINDOW = 300_000;

function play(shards: number, limit: number, uploads: number, seed: number): FleetRun & { readonly calls: number } {
  const standIn = new StandIn();
  let clients = 0;
  const run = fleet({
    shards,
    uploads,
    server: fixedWindow({ limit, window: WINDOW }),
    pace: (random) => standInLimiter(standIn, String(++clients), random),
    policy: policies.upload,
    seed,
  });
  return { ...run, calls: standIn.calls };
}

describe('a fleet that shares its quota', () => {
  it.each([
    [8, 500, 60],
    [8, 240, 60],
    [32, 500, 60],
    [8, 96, 60],
    [32, 384, 60],
    [200, 2400, 60],
    [8, 24, 60],
    [32, 96, 60],
    [200, 500, 60],
    [400, 500, 3],
  ])('of %i shards on %i requests a window: %i uploads each', (shards, limit, uploads) => {
    for (const seed of [1, 2]) {
      const run = play(shards, limit, uploads, seed);
      const windows = Math.ceil((shards * uploads) / limit) - 1;
      const optimum = windows * WINDOW;
      console.log(
        shards,
        limit,
        uploads,
        'lost',
        run.lost,
        'sent/success',
        run.arrivals.length / run.succeeded,
        'end/opt',
        Math.max(...run.ends) / optimum,
        Math.max(...run.ends) - optimum,
        'calls/success',
        run.calls / run.succeeded,
        'most429',
        run.mostRejections,
        'early',
        run.early,
      );
      expect(run.lost).toBe(0);
      expect(run.arrivals.length / run.succeeded).toBeLessThanOrEqual(1.01);
    }
  });
});
