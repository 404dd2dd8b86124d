import { policies } from '../../../src/retry/policies.js';
import { pacer } from '../../../src/pace/pacer.js';
import { fleet, type FleetOptions } from '../../../src/simulate/fleet.js';
import { score, summary, table } from '../../../src/simulate/fleetReport.js';
import { fixedWindow } from '../../../src/simulate/servers.js';
import { StandIn, standInLimiter } from '../../adapters/redis/standIn.js';

const WINDOW = 300_000;

/** Limiter of a shard's requests, made anew for each run of a fleet. */
const WAYS: Readonly<Record<string, () => FleetOptions['pace']>> = {
  pacer: () => (random) => pacer({ random }),
  sharedLimiter: () => {
    // Stand-in for a Redis: in virtual time there are no sockets. The same contract holds both (`spec/adapters/redis/ledgers.spec.ts`).
    const standIn = new StandIn();
    return (random, shard) => standInLimiter(standIn, String(shard), random);
  },
  'upload alone': () => undefined,
};

/** Prints a line for each row and way. @param rows such as `8/240`: shards and limit; `x3`: uploads of each, 60 by default */
export function fleetTable(rows: readonly string[], seeds: readonly number[]): void {
  console.log(
    `window ${WINDOW / 1000} s, 10 at once, ${seeds.length} seeds; end: by the optimum, where one window is enough in s; lost: shards`,
  );
  for (const row of rows) {
    const [, shards, limit, uploads = '60'] = /^(\d+)\/(\d+)(?:x(\d+))?$/.exec(row) ?? [];
    if (shards === undefined || limit === undefined) throw new Error(`A row is SHARDS/LIMIT or SHARDS/LIMITxUPLOADS, not ${row}`);
    const rule = { limit: Number(limit), window: WINDOW };
    const lines = table(
      Object.entries(WAYS).map(([name, makePace]) => {
        const scores = seeds.map((seed) => {
          const options = { shards: Number(shards), uploads: Number(uploads), policy: policies.upload, seed };
          return score(fleet({ ...options, server: fixedWindow(rule), pace: makePace() }), rule);
        });
        return [`${row} ${name}`.padEnd(24), summary(scores)];
      }),
    );
    console.log(row === rows[0] ? lines : lines.replace(/^.*\n/, ''));
  }
}
