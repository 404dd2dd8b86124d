import type { UploadPart } from '../../UploadTarget.js';
import type { ResolvedBuildOptions } from './resolveBuildOptions.js';
import type { Shard } from './shardOf.js';

/** Body of `POST builds`; `null` stands for whatever is not known. */
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
