import type { UploadPart } from '../../UploadTarget.js';
import type { ResolvedBuildOptions } from './resolveBuildOptions.js';

/** Body of `POST builds`; `null` stands for unknown facts. */
export function createBuildBody(
  { commit, branch, name, mode, details = {} }: ResolvedBuildOptions,
  { images }: Pick<UploadPart, 'images'>,
  shard: Shard | undefined,
): object {
  return {
    commit,
    branch,
    name: name ?? null,
    mode,
    parallel: shard ? true : null,
    parallelNonce: shard?.nonce ?? null,
    screenshots: images.map(({ key, contentType }) => ({ key, contentType })),
    pwTraceKeys: [],
    prNumber: details.prNumber ?? null,
    prHeadCommit: details.prHeadCommit ?? null,
    referenceBranch: details.referenceBranch ?? null,
    referenceCommit: details.referenceCommit ?? null,
    parentCommits: details.parentCommits ?? null,
    argosSdk: null,
    ciProvider: details.ciProvider ?? null,
    runId: details.runId ?? null,
    runAttempt: details.runAttempt ?? null,
    mergeQueue: details.mergeQueuePrNumbers ? true : null,
    mergeQueuePrNumbers: details.mergeQueuePrNumbers ?? null,
    subset: details.subset ?? null,
  };
}

/** Body of `POST builds` for a build that is marked as skipped. */
export function skippedBuildBody(options: ResolvedBuildOptions): object {
  return { ...createBuildBody(options, { images: [] }, undefined), skipped: true };
}

/** Place of a part in a parallel build. */
export interface Shard {
  readonly nonce: string;
  /** Number of shards; -1 where the build is finalised by hand. */
  readonly total: number;
  /** Number of the shard, from 1; `null` where the shards are not numbered. */
  readonly index: number | null;
  /** True if the part is the last of its shard. */
  readonly isLast: boolean;
}

/**
 * The shard that a part belongs to; undefined where the build is not parallel. A job's own shard holds all of its parts. Otherwise the
 * parts of a large upload are shards, and so is an upload that may be resumed: asking by a nonce leads to the same build each time.
 */
export function shardOf({ parallel }: ResolvedBuildOptions, { index, total, uploadId, resumable }: UploadPart): Shard | undefined {
  if (parallel) return { nonce: parallel.nonce, total: parallel.total, index: parallel.index ?? null, isLast: index === total };
  return total > 1 || resumable ? { nonce: uploadId, total, index, isLast: true } : undefined;
}
