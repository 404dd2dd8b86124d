import { policies } from '../../../src/retry/policies.js';
import { pacer } from '../../../src/pace/pacer.js';
import { fleet } from '../../../src/simulate/fleet.js';
import { score, summary } from '../../../src/simulate/score.js';
import { fixedWindow } from '../../../src/simulate/servers/fixedWindow.js';
import { table } from '../../../src/simulate/table.js';

const WINDOW = 300_000;

/** Prints a line for each row with the default pacer, and one with the `upload` policy alone. @param rows such as `8/240`: shards and limit; `x3`: uploads of each, 60 by default */
export function fleetTable(rows: readonly string[], seeds: readonly number[]): void {
  console.log(
    `window ${WINDOW / 1000} s, 10 at once, ${seeds.length} seeds; end: by the optimum, where one window is enough in s; lost: shards`,
  );
  for (const row of rows) {
    const [, shards, limit, uploads = '60'] = /^(\d+)\/(\d+)(?:x(\d+))?$/.exec(row) ?? [];
    if (shards === undefined || limit === undefined) throw new Error(`A row is SHARDS/LIMIT or SHARDS/LIMITxUPLOADS, not ${row}`);
    const rule = { limit: Number(limit), window: WINDOW };
    const runs = (paced: boolean) =>
      summary(
        seeds.map((seed) => {
          const options = { shards: Number(shards), uploads: Number(uploads), policy: policies.upload, seed };
          return score(fleet({ ...options, server: fixedWindow(rule), pace: paced ? (random) => pacer({ random }) : undefined }), rule);
        }),
      );
    const lines = table([
      [`${row} pacer`.padEnd(24), runs(true)],
      [`${row} upload alone`, runs(false)],
    ]);
    console.log(row === rows[0] ? lines : lines.replace(/^.*\n/, ''));
  }
}
