import { describe, expect, it } from 'vitest';
import { policies } from 'coldfetch';
import { fleet } from '../../../src/simulate/fleet.js';
import { score } from '../../../src/simulate/fleetReport.js';
import { fixedWindow } from '../../../src/simulate/servers.js';
import { StandIn, standInLimiter } from './standIn.js';

const WINDOW = 300_000;

describe('a fleet that shares its quota', () => {
  // The rows of 200 shards come out alike (1.000 and 1.001), but take a minute.
  it.each([
    { shards: 8, limit: 240, uploads: 60 },
    { shards: 32, limit: 500, uploads: 60 },
    { shards: 8, limit: 96, uploads: 60 },
    { shards: 8, limit: 24, uploads: 60 },
    { shards: 32, limit: 96, uploads: 60 },
    { shards: 400, limit: 500, uploads: 3 },
  ])('of $shards shards on $limit requests a window wastes neither requests nor time', ({ shards, limit, uploads }) => {
    const standIn = new StandIn();
    let clients = 0;
    const server = fixedWindow({ limit, window: WINDOW });
    const run = fleet({
      shards,
      uploads,
      server,
      pace: (random) => standInLimiter(standIn, String(++clients), random),
      policy: policies.upload,
      seed: shards + limit,
    });
    const { lost, early, sent, end } = score(run, { limit, window: WINDOW });
    expect({ lost, early }).toEqual({ lost: 0, early: 0 });
    expect(sent).toBeLessThanOrEqual(1.01);
    expect(end).toBeLessThanOrEqual(1.01);
  });
});
