import { pacer } from '../../../src/pace/pacer.js';
import { policies } from '../../../src/retry/policies.js';
import { fleet, type FleetOptions } from '../../../src/simulate/fleet.js';
import { score, summary } from '../../../src/simulate/score.js';
import { fixedWindow } from '../../../src/simulate/servers/fixedWindow.js';
import type { Server } from '../../../src/simulate/servers/Server.js';
import { slidingWindow } from '../../../src/simulate/servers/slidingWindow.js';
import { tokenBucket } from '../../../src/simulate/servers/tokenBucket.js';
import { table } from '../../../src/simulate/table.js';

const RULE = { limit: 500, window: 300_000 };

/** Says nothing of its limit but by a 429's Retry-After. */
const silent =
  (server: Server): Server =>
  (now) => {
    const { status, headers } = server(now);
    const { 'retry-after': hint } = headers;
    return { status, headers: hint === undefined ? {} : { 'retry-after': hint } };
  };

/** Says that half of the quota remains, whatever does. */
const lying =
  (server: Server): Server =>
  (now) => {
    const { status, headers } = server(now);
    return { status, headers: { ...headers, ratelimit: (headers.ratelimit ?? '').replace(/r=\d+/, `r=${RULE.limit / 2}`) } };
  };

/** Somebody else takes a share of the quota, evenly, and waits for nothing. */
function besides(server: Server, share: number): Server {
  const pause = RULE.window / (RULE.limit * share);
  let next = 0;
  return (now) => {
    for (; next < now; next += pause) server(next);
    return server(now);
  };
}

/** Prints what becomes of 32 shards on 500 when the world is another. */
export function robustness(seeds: readonly number[]): void {
  const cases: readonly [name: string, make: () => Partial<FleetOptions>][] = [
    ['as in the table', () => ({})],
    ['all start at once', () => ({ startWithin: 0 })],
    ['starts within 60 s', () => ({ startWithin: 60_000 })],
    ['latency 20 ms', () => ({ latency: 20 })],
    ['latency 500 ms', () => ({ latency: 500 })],
    ['heavy tail', () => ({ latency: (random) => Math.min(10_000, 50 / (1 - random())) })],
    ['others take 30 %', () => ({ server: besides(fixedWindow(RULE), 0.3) })],
    ['no headers', () => ({ server: silent(fixedWindow(RULE)) })],
    ['remaining lies', () => ({ server: lying(fixedWindow(RULE)) })],
    ['sliding window', () => ({ server: slidingWindow(RULE) })],
    ['token bucket', () => ({ server: tokenBucket(RULE) })],
  ];
  console.log(`32 shards x 60 uploads on 500 in 300 s, ${seeds.length} seeds`);
  for (const [name, make] of cases) {
    const scores = seeds.map((seed) => {
      const options = { shards: 32, uploads: 60, policy: policies.upload, server: fixedWindow(RULE), seed };
      return score(fleet({ ...options, pace: (random) => pacer({ random }), ...make() }), RULE);
    });
    const lines = table([[name.padEnd(20), summary(scores)]]);
    console.log(name === cases[0]?.[0] ? lines : lines.replace(/^.*\n/, ''));
  }
}
