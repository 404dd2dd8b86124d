import type { UploadFile } from '../../UploadTarget.js';

/** Most bytes of JSON in a request; the API takes 3 MB. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Screenshots in the form of the API, in as many batches as it takes; an empty list is one batch, too. */
export function screenshotBatches(files: readonly UploadFile[]): readonly (readonly object[])[] {
  return splitByBytes(files.map(entry), MOST_BYTES);
}

function entry({ key, name, contentType, metadata, threshold, baseName, parentName }: UploadFile): object {
  return {
    key,
    name,
    metadata: metadata ?? null,
    pwTraceKey: null,
    threshold: threshold ?? null,
    baseName: baseName ?? null,
    parentName: parentName ?? null,
    contentType,
  };
}

/**
 * Splits a list into batches whose JSON has at most `most` bytes each, in order; an item that is larger is a batch of its own. There is
 * always at least one batch, an empty one for an empty list.
 */
export function splitByBytes<T>(items: readonly T[], most: number): readonly (readonly T[])[] {
  const batches: T[][] = [[]];
  let room = most;
  for (const item of items) {
    // The comma behind an item counts, too.
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    const batch = batches.at(-1);
    if (batch === undefined || (bytes > room && batch.length > 0)) {
      batches.push([item]);
      room = most - bytes;
    } else {
      batch.push(item);
      room -= bytes;
    }
  }
  return batches;
}
