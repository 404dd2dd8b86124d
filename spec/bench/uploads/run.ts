/**
 * Time, processor time, peak memory, descriptors and sockets of uploads of many files, each in a process of its own, to the embedded server in
 * another: `npm run bench:uploads`. Writes its table into the guide `uploads-in-ci.md`. The other client comes from the registry.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { registryProject } from '../../support/registryProject.js';
import { writeSection } from '../http/guide.js';
import { table } from '../http/tables.js';
import type { UploadCost } from './upload.js';

/** Pixels of a side of an image. */
const SIDE = 96;
/** Uploads that are measured: numbers of files, and ways. The other client converts each image, and is not measured with more files. */
const RUNS: readonly (readonly [files: number, ways: readonly string[]])[] = [
  [1_000, ['coldfetch']],
  [2_000, ['coldfetch', 'otherClient', 'bareLoop']],
  [20_000, ['coldfetch', 'bareLoop']],
];
const WAYS: Readonly<Record<string, string>> = { coldfetch: '', otherClient: ', `@argos-ci/core`', bareLoop: ', a bare loop of undici' };

function start(script: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(new URL(script, import.meta.url)), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += String(chunk)));
  return { child, printed: () => printed.trim() };
}

async function measure(way: string, folder: string, other: string): Promise<UploadCost> {
  const server = start('serve.ts');
  await once(server.child.stdout, 'data');
  const upload = start('upload.ts', [way, server.printed(), folder], { OTHER_CLIENT: other });
  await once(upload.child, 'close');
  server.child.stdin.end();
  await once(server.child, 'close');
  return JSON.parse(upload.printed().split('\n').at(-1) ?? '') as UploadCost;
}

const number = (value: number): string => value.toLocaleString('en');

const other = await registryProject();
const installed = await other.install('@argos-ci/core@6.8.5');
if (!installed.ok) throw new Error(installed.output);
const rows: string[][] = [];
for (const [count, ways] of RUNS) {
  const folder = await mkdtemp(join(tmpdir(), 'coldfetch-bench-'));
  for (let index = 0; index < count; index++) await writeFile(join(folder, `${index}.png`), image(index));
  for (const way of ways) {
    const { seconds, cpu, megabytes, descriptors, sockets } = await measure(way, folder, other.path);
    const name = `${number(count)} files${WAYS[way] ?? ''}`;
    rows.push([name, String(seconds), `${cpu} s`, `${megabytes} MB`, number(descriptors), number(sockets)]);
    console.log(rows.at(-1)?.join(', '));
  }
  await rm(folder, { recursive: true });
}
await other.remove();
const head = ['upload of', 'seconds', 'processor', 'peak memory', 'descriptors', 'sockets'];
await writeSection('uploads', table(head, rows), 'uploads-in-ci.md');

/** A PNG whose bytes are its own: noise of a seed, in grey. */
function image(seed: number): Buffer {
  let state = seed + 1;
  const noise = Buffer.alloc((SIDE + 1) * SIDE);
  for (let at = 0; at < noise.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    noise[at] = at % (SIDE + 1) === 0 ? 0 : state >>> 24;
  }
  const header = Buffer.from([0, 0, 0, SIDE, 0, 0, 0, SIDE, 8, 0, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(noise, { level: 1 })), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
