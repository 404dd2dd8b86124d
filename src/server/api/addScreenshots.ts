import type { UpdateBuild } from './bodies.js';
import type { StoredScreenshot } from './StoredBuild.js';

type Sent = UpdateBuild['screenshots'];

/**
 * `stored` with `sent` added. What is there already (same name, same key) is not added twice, so that a repeated request changes nothing; a
 * second file under a name in use is kept as `name-1`, `name-2`, ...
 */
export function addScreenshots(stored: readonly StoredScreenshot[], sent: Sent): readonly StoredScreenshot[] {
  const byName = new Map(stored.map((screenshot) => [screenshot.name, screenshot]));
  for (const { key, name, contentType = null, metadata = null, threshold = null, baseName = null, parentName = null } of sent) {
    const place = placeOf(byName, key, name);
    if (!byName.has(place)) byName.set(place, { key, name: place, contentType, metadata, threshold, baseName, parentName });
  }
  return [...byName.values()];
}

/** Whether every one of `sent` is stored: the request was processed before. */
export function hasScreenshots(stored: readonly StoredScreenshot[], sent: Sent): boolean {
  const byName = new Map(stored.map((screenshot) => [screenshot.name, screenshot]));
  return sent.every(({ key, name }) => byName.has(placeOf(byName, key, name)));
}

/** The name that holds this key, or the first free one. */
function placeOf(byName: ReadonlyMap<string, StoredScreenshot>, key: string, name: string): string {
  let place = name;
  for (let n = 1; ; n++) {
    const there = byName.get(place);
    if (there === undefined || there.key === key) return place;
    place = `${name}-${n}`;
  }
}
