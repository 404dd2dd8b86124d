import { describe, expect, it } from 'vitest';
import { pacer, policies } from 'coldfetch';
import { fleet, type FleetOptions } from '../../src/simulate/fleet.js';
import { score } from '../../src/simulate/fleetReport.js';
import {
  withBurstOfOthers,
  fixedWindow,
  misreporting,
  retryAfterOnly,
  type Server,
  slidingWindow,
  tokenBucket,
} from '../../src/simulate/servers.js';

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

  it('loses nothing by a gate alone, where the server does not say what is left, or lies about it', () => {
    const window = (): Server => fixedWindow(rule);
    for (const server of [
      retryAfterOnly(window()),
      misreporting(window(), () => 48),
      misreporting(window(), (left) => Math.min(96, left + 48)),
    ]) {
      const { lost, early, sent, end } = score(fleet(eightShards({ server, policy: policies.patient })), rule);
      expect({ lost, early }).toEqual({ lost: 0, early: 0 });
      expect([sent <= 1.3, end <= 1.02]).toEqual([true, true]);
    }
  });

  it('probes by the cap of its policy, and no sooner, where nothing but a delay is told', () => {
    const run = fleet(eightShards({ server: retryAfterOnly(fixedWindow(rule)) }));
    const { lost, early, sent } = score(run, rule);
    expect({ lost, early }).toEqual({ lost: 0, early: 0 });
    expect(sent).toBeLessThanOrEqual(1.6);
    expect(run.mostRejections).toBeGreaterThan(1);
  });

  it('learns of others who take a part of each window at once and ask nobody', () => {
    const { lost, early, sent, end } = score(fleet(eightShards({ server: withBurstOfOthers(fixedWindow(rule), rule, 48) })), rule);
    expect({ lost, early }).toEqual({ lost: 0, early: 0 });
    // Other clients halve the quota: the optimum is 2.25 of that without them.
    expect([sent <= 1.12, end <= 3.1]).toEqual([true, true]);
  });

  it('leaves no request unsent when others come late or die', () => {
    const late = fleet(eightShards({ delay: (random) => (random() < 0.5 ? 400_000 : 0) }));
    expect([late.succeeded, late.lost]).toEqual([480, 0]);
    const dying = fleet(eightShards({ life: (random) => (random() < 0.5 ? 400_000 : Infinity) }));
    expect(dying.ends.filter((end) => end < 405_000).length).toBeGreaterThan(1);
    expect([dying.lost, dying.succeeded % 60 === 0]).toEqual([0, false]);
  });
});
