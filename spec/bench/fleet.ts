/**
 * Fleets of CI shards against one rate limit, in virtual time, by the library's own code: the table of the pacer, and `upload` without it.
 *
 *     npm run bench:fleet                                       the table, then servers that announce no quota, ten seeds
 *     npm run bench:fleet -- --rows 8/240,32/500 --seeds 3      some of it
 *     npm run bench:fleet -- --retry-after --seeds 20           servers that announce no quota alone
 *     npm run bench:fleet -- --robust                           other starts, latencies, servers and tenants
 *     npm run bench:fleet -- --sockets                          eight processes against a real express-rate-limit, beside the simulator
 *     npm run bench:fleet -- --outage                           breaker and budget in an outage of a minute
 *     npm run bench:fleet -- --parked                           100,000 requests at a closed gate
 */
import { parseArgs } from 'node:util';
import { fleetTable } from './fleet/fleetTable.js';
import { outage } from './fleet/outage.js';
import { parked } from './fleet/parked.js';
import { retryAfterOnly } from './fleet/retryAfterOnly.js';
import { robustness } from './fleet/robustness.js';
import { sockets } from './fleet/sockets.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    rows: { type: 'string', default: '8/500,8/240,32/500,8/96,32/384,200/2400,8/24,32/96,200/500,400/500x3' },
    seeds: { type: 'string', default: '10' },
    'retry-after': { type: 'boolean', default: false },
    robust: { type: 'boolean', default: false },
    sockets: { type: 'boolean', default: false },
    outage: { type: 'boolean', default: false },
    parked: { type: 'boolean', default: false },
  },
});
const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => i + 1);

console.log(`node ${process.version}`);
if (values.help)
  console.log('--rows 8/240,32/500x3 (shards/limit x uploads), --seeds 10, or one of --retry-after --robust --sockets --outage --parked');
else if (values['retry-after']) retryAfterOnly(seeds);
else if (values.robust) robustness(seeds);
else if (values.sockets) await sockets(seeds);
else if (values.outage) outage();
else if (values.parked) await parked();
else {
  fleetTable(values.rows.split(','), seeds);
  retryAfterOnly(seeds);
}
