import type { UploadPart } from '../../UploadTarget.js';
import type { ResolvedBuildOptions } from './resolveBuildOptions.js';
import { screenshotBatches } from './screenshotBatches.js';
import { shardOf } from './shardOf.js';

/** Bodies of the requests `PUT builds/{id}` of a part, in their order; the last of them ends the build, or the shard. */
export function completeBuildBodies(options: ResolvedBuildOptions, part: UploadPart): readonly object[] {
  const shard = shardOf(options, part);
  const batches = screenshotBatches(part.files);
  return batches.map((screenshots, index) => {
    const isLast = index === batches.length - 1 && (shard?.isLast ?? true);
    return {
      screenshots,
      parallel: shard ? true : null,
      parallelTotal: shard?.total ?? null,
      parallelIndex: shard?.index ?? null,
      // A shard without an index is known by the id of one request.
      final: isLast || shard?.index === null,
      metadata: isLast ? (options.metadata ?? null) : null,
    };
  });
}
