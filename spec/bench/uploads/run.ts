/**
 * Time, processor time, peak memory, descriptors and sockets of uploads of many files, each in a process of its own, to the embedded server in
 * another: `npm run bench:uploads`. The numbers of files are its arguments. The other client is measured where OTHER_CLIENT names a project that has it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

/** Pixels of a side of an image. */
const SIDE = 96;
/** The other client converts each image, and is not measured with more files. */
const MOST_OF_OTHERS = 2_000;

function start(script: string, args: readonly string[] = []) {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(new URL(script, import.meta.url)), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += String(chunk)));
  return { child, printed: () => printed.trim() };
}

async function measure(way: string, folder: string): Promise<string> {
  const server = start('serve.ts');
  await once(server.child.stdout, 'data');
  const upload = start('upload.ts', [way, server.printed(), folder]);
  await once(upload.child, 'close');
  server.child.stdin.end();
  await once(server.child, 'close');
  return upload.printed().split('\n').at(-1) ?? '';
}

for (const count of process.argv.slice(2).map(Number)) {
  const folder = await mkdtemp(join(tmpdir(), 'coldfetch-bench-'));
  for (let index = 0; index < count; index++) await writeFile(join(folder, `${index}.png`), image(index));
  console.log(`${count} files of ${image(0).length} bytes`);
  const ways = ['bareLoop', 'coldfetch', ...(process.env.OTHER_CLIENT !== undefined && count <= MOST_OF_OTHERS ? ['otherClient'] : [])];
  for (const way of ways) console.log(`  ${way.padEnd(12)} ${await measure(way, folder)}`);
  await rm(folder, { recursive: true });
}

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
