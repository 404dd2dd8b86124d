/**
 * Splits a list into batches whose JSON has at most `most` bytes each, in order; an item that is larger is a batch of its own. There is
 * always at least one batch, an empty one for an empty list.
 */
export function splitByBytes<T>(items: readonly T[], most: number): readonly (readonly T[])[] {
  const batches: T[][] = [[]];
  let room = most;
  for (const item of items) {
    // The comma behind it counts, too.
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
