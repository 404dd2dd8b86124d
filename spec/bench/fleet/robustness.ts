import { pacer } from '../../../src/pace/pacer.js';
import { policies } from '../../../src/retry/policies.js';
import { fleet, type FleetOptions } from '../../../src/simulate/fleet.js';
import { seeded } from '../../../src/simulate/seeded.js';
import { score, summary, table } from '../../../src/simulate/fleetReport.js';
import {
  withOtherClients,
  withBurstOfOthers,
  fixedWindow,
  misreporting,
  retryAfterOnly,
  slidingWindow,
  tokenBucket,
} from '../../../src/simulate/servers.js';

const RULE = { limit: 500, window: 300_000 };
const HALF = RULE.limit / 2;

/** Part of the quota that another client takes, which never waits. */
const SHARE = 0.3;

const cases: Readonly<Record<string, () => Partial<FleetOptions>>> = {
  'as in the table': () => ({}),
  'all start at once': () => ({ startWithin: 0 }),
  'starts within 60 s': () => ({ startWithin: 60_000 }),
  'a quarter comes late': () => ({ delay: (random) => (random() < 0.25 ? random() * 2 * RULE.window : 0) }),
  'a quarter dies': () => ({ life: (random) => (random() < 0.25 ? random() * 3 * RULE.window : Infinity) }),
  'latency 20 ms': () => ({ latency: 20 }),
  'latency 500 ms': () => ({ latency: 500 }),
  'heavy tail': () => ({ latency: (random) => Math.min(10_000, 50 / (1 - random())) }),
  'others take 30 %': () => ({ server: withOtherClients(fixedWindow(RULE), RULE, SHARE) }),
  'a third has no pacer': () => ({
    policy: { ...policies.patient, deadline: Infinity },
    pace: (random, shard) => (shard < 10 ? undefined : pacer({ random })),
  }),
  'others take 100 first': () => ({ server: withBurstOfOthers(fixedWindow(RULE), RULE, 100) }),
  'others take 250 first': () => ({ server: withBurstOfOthers(fixedWindow(RULE), RULE, 250) }),
  'sliding window': () => ({ server: slidingWindow(RULE) }),
  'token bucket': () => ({ server: tokenBucket(RULE) }),
  'Retry-After only': () => ({ server: retryAfterOnly(fixedWindow(RULE)) }),
  'remaining too high': () => ({ server: misreporting(fixedWindow(RULE), (left) => Math.min(RULE.limit, left + HALF)) }),
  'remaining too low': () => ({ server: misreporting(fixedWindow(RULE), (left) => Math.max(0, left - HALF)) }),
  'remaining halved': () => ({ server: misreporting(fixedWindow(RULE), (left) => Math.floor(left / 2)) }),
  'remaining constant': () => ({ server: misreporting(fixedWindow(RULE), () => HALF) }),
  'remaining always 0': () => ({ server: misreporting(fixedWindow(RULE), () => 0) }),
  'remaining random': () => {
    const random = seeded(1);
    return { server: misreporting(fixedWindow(RULE), () => Math.floor(random() * RULE.limit)) };
  },
};

/** Prints what becomes of 32 shards on 500 when the world is another. */
export function robustness(seeds: readonly number[]): void {
  console.log(`32 shards x 60 uploads on 500 in 300 s, ${seeds.length} seeds`);
  for (const [index, [name, make]] of Object.entries(cases).entries()) {
    const scores = seeds.map((seed) => {
      const options = { shards: 32, uploads: 60, policy: policies.upload, server: fixedWindow(RULE), seed };
      return score(fleet({ ...options, pace: (random) => pacer({ random }), ...make() }), RULE);
    });
    const lines = table([[name.padEnd(22), summary(scores)]]);
    console.log(index === 0 ? lines : lines.replace(/^.*\n/, ''));
  }
}
