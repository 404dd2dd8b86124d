import { readFileSync, statSync } from 'node:fs';
import { contentTypeOf } from '../../../node/files/inspectFile.js';
import type { UploadRow, UploadTrace } from './UploadTrace.js';
import { activeTime, stateOf } from './words.js';

/** Bytes of images in a page: of one file, and of all. */
const MOST = { one: 512 * 1024, all: 6 * 1024 * 1024 } as const;

/**
 * Images of files as `data:` URLs, by their names: the failed ones first, then the slowest, as far as there is room for them. A file that
 * is missing, too large, or not an image has none.
 */
export function readThumbnails({ rows }: Pick<UploadTrace, 'rows'>, pathOf: (name: string) => string): ReadonlyMap<string, string> {
  const thumbnails = new Map<string, string>();
  let room: number = MOST.all;
  for (const { label, bytes = Infinity } of byInterest(rows)) {
    const type = contentTypeOf(label);
    if (!type.startsWith('image/') || bytes > MOST.one || bytes > room) continue;
    const image = readImage(pathOf(label), bytes);
    if (!image) continue;
    thumbnails.set(label, `data:${type};base64,${image.toString('base64')}`);
    room -= image.byteLength;
  }
  return thumbnails;
}

function byInterest(rows: readonly UploadRow[]): UploadRow[] {
  const interest = (row: UploadRow): number => (stateOf(row) === 'failed' ? Infinity : activeTime(row));
  const files = rows.filter(({ kind }) => kind === 'file').map((row) => ({ row, interest: interest(row) }));
  return files.sort((a, b) => (a.interest === b.interest ? 0 : b.interest - a.interest)).map(({ row }) => row);
}

/** The file's bytes; undefined where it is missing or has become another one. */
function readImage(path: string, bytes: number): Buffer | undefined {
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size !== bytes) return undefined;
  try {
    return readFileSync(path);
  } catch {
    // A missing picture does not fail a report: the page has a blank in its place.
    return undefined;
  }
}
