import { pacer } from '../../../src/pace/pacer.js';
import { policies } from '../../../src/retry/policies.js';
import { fleet } from '../../../src/simulate/fleet.js';
import { score, summary, table } from '../../../src/simulate/fleetReport.js';
import { fixedWindow, retryAfterOnly as server } from '../../../src/simulate/servers.js';

const SHARDS = 32;
const UPLOADS = 60;
const LIMIT = 500;

/** Prints the runs of 32 shards on 500 where the server announces no quota: a capped policy and one that waits as asked. A shard loses one upload at most. */
export function retryAfterOnly(seeds: readonly number[]): void {
  const uploads = SHARDS * UPLOADS * seeds.length;
  console.log(
    `Retry-After only: ${SHARDS} shards x ${UPLOADS} uploads on ${LIMIT}, ${seeds.length} seeds; lost: shards of a run, and uploads of all`,
  );
  for (const window of [300_000, 360_000]) {
    for (const name of ['upload', 'patient'] as const) {
      const rule = { limit: LIMIT, window };
      const scores = seeds.map((seed) => {
        const options = { shards: SHARDS, uploads: UPLOADS, policy: policies[name], seed };
        return score(fleet({ ...options, server: server(fixedWindow(rule)), pace: (random) => pacer({ random }) }), rule);
      });
      const lost = scores.reduce((sum, one) => sum + one.lost, 0);
      console.log(`${table([[`${window / 1000} s, ${name}`.padEnd(16), summary(scores)]])}   ${lost} of ${uploads} uploads`);
    }
  }
}
