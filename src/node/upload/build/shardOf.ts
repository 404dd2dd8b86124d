import type { UploadPart } from '../../UploadTarget.js';
import type { ResolvedBuildOptions } from './resolveBuildOptions.js';

/** Place of a part in a parallel build. */
export interface Shard {
  readonly nonce: string;
  /** Number of shards; -1 where the build is finalised by hand. */
  readonly total: number;
  /** From 1; `null` where the shards are not numbered. */
  readonly index: number | null;
  /** Whether the part is the last of its shard. */
  readonly isLast: boolean;
}

/**
 * The shard that a part belongs to; undefined where the build is not parallel. A job's own shard holds all of its parts. Otherwise the parts of a
 * large upload are shards, and so is an upload that may be resumed: asking by a nonce leads to the same build each time.
 */
export function shardOf({ parallel }: ResolvedBuildOptions, { index, total, uploadId, resumable }: UploadPart): Shard | undefined {
  if (parallel) return { nonce: parallel.nonce, total: parallel.total, index: parallel.index ?? null, isLast: index === total };
  return total > 1 || resumable ? { nonce: uploadId, total, index, isLast: true } : undefined;
}
