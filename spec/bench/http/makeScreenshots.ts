import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { SCREENSHOTS } from './settings.js';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Fills a folder with PNG images of noise, which cannot be compressed, no two alike. */
export function makeScreenshots(folder: string): void {
  const edge = Math.round(Math.sqrt(SCREENSHOTS.bytes / 3));
  for (let n = 0; n < SCREENSHOTS.count; n++) writeFileSync(join(folder, `shot-${n}.png`), noise(edge));
}

/** A square image in RGB. */
function noise(edge: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header.set([8, 2, 0, 0, 0], 8);
  // Each line begins with its filter: none.
  const lines = Array.from({ length: edge }, () => Buffer.concat([Buffer.alloc(1), randomBytes(edge * 3)]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', zlib.deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.byteLength);
  sum.writeUInt32BE(checksum(content));
  return Buffer.concat([length, content, sum]);
}

/** CRC-32 as PNG has it. */
function checksum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
