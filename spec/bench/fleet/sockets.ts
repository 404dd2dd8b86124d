import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { pacer } from '../../../src/pace/pacer.js';
import { policies } from '../../../src/retry/policies.js';
import { fleet } from '../../../src/simulate/fleet.js';
import { type FleetScore, score } from '../../../src/simulate/fleetReport.js';
import { fixedWindow } from '../../../src/simulate/servers.js';

const FLEET = { shards: 8, uploads: 60 };
const WINDOW = 6000;
/** Number of runs with real processes; a run takes up to half a minute. */
const RUNS = 3;

type Result = Pick<FleetScore, 'lost' | 'sent' | 'end'>;

/** Prints how eight processes get on with a real express-rate-limit, and what the simulator says of the same fleet. */
export async function sockets(seeds: readonly number[], limits: readonly number[] = [240, 96]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'coldfetch-bench-'));
  try {
    const shard = join(folder, 'shard.mjs');
    const entry = fileURLToPath(new URL('shard.ts', import.meta.url));
    // One file, so that eight processes start as quickly as they can.
    const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
    await build({ entryPoints: [entry], outfile: shard, bundle: true, platform: 'node', format: 'esm', banner });
    console.log(`${FLEET.shards} processes x ${FLEET.uploads} uploads, window ${WINDOW / 1000} s`);
    for (const limit of limits) {
      const real: Result[] = [];
      for (let run = 0; run < RUNS; run++) real.push(await play(shard, limit));
      print(`limit ${limit}, sockets`, real);
      print(
        `limit ${limit}, simulator`,
        seeds.map((seed) => simulate(limit, seed)),
      );
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The mean, and from what to what. With windows this short a lost one is much. */
function print(name: string, results: readonly Result[]): void {
  const spread = (values: readonly number[]): string => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return `${mean.toFixed(3)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
  };
  const lost = results.reduce((sum, each) => sum + each.lost, 0);
  const line = [name.padEnd(22), `${results.length} runs`, `lost ${lost}`, `sent ${spread(results.map(({ sent }) => sent))}`];
  console.log([...line, `end ${spread(results.map(({ end }) => end))}`].join('   '));
}

async function play(shard: string, limit: number): Promise<Result> {
  let sent = 0;
  const app = express()
    .use((_request, _response, next) => {
      sent++;
      next();
    })
    .use(rateLimit({ windowMs: WINDOW, limit, standardHeaders: 'draft-8', legacyHeaders: false, validate: false }))
    .use((_request, response) => void response.status(201).end());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const children = Array.from({ length: FLEET.shards }, () => fork(shard, [url, String(FLEET.uploads)]));
  try {
    await Promise.all(children.map((child) => message(child)));
    const began = performance.now();
    const ends = children.map((child) => message(child));
    children.forEach((child) => child.send('start'));
    const reports = await Promise.all(ends);
    const windows = Math.ceil((FLEET.shards * FLEET.uploads) / limit) - 1;
    return {
      lost: reports.filter((report) => typeof report === 'object' && report !== null && 'lost' in report && report.lost === true).length,
      sent: sent / (FLEET.shards * FLEET.uploads),
      end: (performance.now() - began) / (windows * WINDOW),
    };
  } finally {
    children.forEach((child) => child.kill());
    server.close();
    server.closeAllConnections();
  }
}

async function message(child: ChildProcess): Promise<unknown> {
  const [said] = (await once(child, 'message')) as unknown[];
  return said;
}

function simulate(limit: number, seed: number): Result {
  const rule = { limit, window: WINDOW };
  const options = { ...FLEET, startWithin: 500, latency: 10, policy: policies.upload, seed };
  return score(fleet({ ...options, server: fixedWindow(rule), pace: (random) => pacer({ random }) }), rule);
}
