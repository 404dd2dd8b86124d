import { ApiError } from './ApiError.js';
import type { UpdateBuild } from './bodies.js';
import type { StoredBuild, StoredScreenshot, StoredShard } from './StoredBuild.js';

/**
 * `build` after one `PUT`. Repeating a request changes nothing: screenshots are recognized by name and key, indexed shards by their index,
 * shards without one by the id of the request.
 *
 * @throws ApiError 409 when the build is finalised and the request brings anything new; 400 when it contradicts an earlier shard
 */
export function updateBuild(build: StoredBuild, body: UpdateBuild, requestId: string | null): StoredBuild {
  if (build.finalized) {
    if (hasScreenshots(build.screenshots, body.screenshots)) return build;
    throw new ApiError(409, 'Build is already finalized');
  }
  return body.parallel === true ? updateShard(build, body, requestId) : updateWhole(build, body);
}

function updateWhole(build: StoredBuild, body: UpdateBuild): StoredBuild {
  const screenshots = addScreenshots(build.screenshots, body.screenshots);
  return body.final === false ? { ...build, screenshots } : { ...build, screenshots, metadata: body.metadata ?? null, finalized: true };
}

function updateShard(build: StoredBuild, body: UpdateBuild, requestId: string | null): StoredBuild {
  const index = body.parallelIndex ?? null;
  const total = body.parallelTotal ?? null;
  const complete = body.final ?? true;
  if (total !== null && build.parallelTotal !== null && build.parallelTotal !== total) {
    throw new ApiError(400, '`parallelTotal` must be the same on every batch');
  }
  if (!complete && index === null) throw new ApiError(400, '`parallelIndex` is required when `final` is `false`');
  const known = build.shards.find((shard) =>
    index === null ? requestId !== null && shard.requestId === requestId : shard.index === index,
  );
  if (known?.complete === true) return build;
  const shard: StoredShard = { index, requestId: complete ? requestId : null, complete };
  const shards = [...build.shards.filter((other) => other !== known), shard];
  const parallelTotal = total ?? build.parallelTotal;
  const arrived = shards.filter((each) => each.complete).length;
  return {
    ...build,
    parallelTotal,
    shards,
    screenshots: addScreenshots(build.screenshots, body.screenshots),
    metadata: body.metadata ?? build.metadata,
    finalized: parallelTotal !== null && parallelTotal > 0 && arrived >= parallelTotal,
  };
}

type Sent = UpdateBuild['screenshots'];

/**
 * `stored` with `sent` added. A screenshot that is there already (same name, same key) is not added twice, so that a repeated request
 * changes nothing; a second file under a name in use is kept as `name-1`, `name-2`, ...
 */
function addScreenshots(stored: readonly StoredScreenshot[], sent: Sent): readonly StoredScreenshot[] {
  const byName = new Map(stored.map((screenshot) => [screenshot.name, screenshot]));
  for (const { key, name, contentType = null, metadata = null, threshold = null, baseName = null, parentName = null } of sent) {
    const place = placeOf(byName, key, name);
    if (!byName.has(place)) byName.set(place, { key, name: place, contentType, metadata, threshold, baseName, parentName });
  }
  return [...byName.values()];
}

/** True if every one of `sent` is stored: the request was processed before. */
function hasScreenshots(stored: readonly StoredScreenshot[], sent: Sent): boolean {
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
