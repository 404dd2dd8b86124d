import { addScreenshots, hasScreenshots } from './addScreenshots.js';
import { ApiError } from './ApiError.js';
import type { UpdateBuild } from './bodies.js';
import type { StoredBuild, StoredShard } from './StoredBuild.js';

/**
 * `build` after one `PUT`. Repeating a request changes nothing: screenshots are known by name and key, indexed shards by their index, shards
 * without one by the id of the request.
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
