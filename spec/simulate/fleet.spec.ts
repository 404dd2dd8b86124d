import { describe, expect, it } from 'vitest';
import { pacer, policies } from 'coldfetch';
import { fleet, type FleetOptions } from '../../src/simulate/fleet.js';
import { score } from '../../src/simulate/score.js';
import { fixedWindow } from '../../src/simulate/servers/fixedWindow.js';
import { slidingWindow } from '../../src/simulate/servers/slidingWindow.js';
import { tokenBucket } from '../../src/simulate/servers/tokenBucket.js';

const rule = { limit: 96, window: 300_000 };
const eightShards = (options: Partial<FleetOptions> = {}): FleetOptions => ({
  shards: 8,
  uploads: 60,
  server: fixedWindow(rule),
  policy: policies.upload,
  pace: (random) => pacer({ random }),
  seed: 1,
  ...options,
});

describe('a fleet of eight shards, at five times the limit', () => {
  it('loses nothing, sends nothing early and wastes little with a pacer', () => {
    const { lost, early, sent, end } = score(fleet(eightShards()), rule);
    expect({ lost, early }).toEqual({ lost: 0, early: 0 });
    expect(sent).toBeLessThanOrEqual(1.07);
    expect(end).toBeLessThanOrEqual(1.02);
  });

  it('loses shards with the upload policy alone', () => {
    const { lost, sent } = score(fleet(eightShards({ pace: undefined })), rule);
    expect(lost).toBeGreaterThan(0);
    expect(sent).toBeGreaterThan(1.5);
  });

  it('is the same for the same seed, and another for another', () => {
    const first = fleet(eightShards());
    expect(fleet(eightShards()).arrivals.length).toBe(first.arrivals.length);
    expect(fleet(eightShards()).ends).toEqual(first.ends);
    expect(fleet(eightShards({ seed: 2 })).ends).not.toEqual(first.ends);
  });

  it('loses nothing on a sliding window or a token bucket either', () => {
    for (const server of [slidingWindow(rule), tokenBucket(rule)]) {
      const { lost, early, sent } = score(fleet(eightShards({ server })), rule);
      expect({ lost, early }).toEqual({ lost: 0, early: 0 });
      expect(sent).toBeLessThan(2);
    }
  });
});
