import type { UploadBuildOptions } from '../../node/UploadBuildOptions.js';
import type { CiFacts } from './readCiVariables.js';
import type { Settings } from './settings/readSettings.js';
import type { Sourced } from './settings/Setting.js';

/** All known facts of a build, each with its place. Nonce, total and index are set together, for a shard. */
export interface BuildFacts extends Omit<Settings, 'commit' | 'branch' | 'parallel'>, Pick<CiFacts, 'ciProvider' | 'runId' | 'runAttempt'> {
  readonly commit: Sourced<string>;
  readonly branch: Sourced<string>;
}

/** The facts as options of `uploadBuild`. */
export function buildOptions(facts: BuildFacts): UploadBuildOptions {
  const { parallelNonce: nonce, parallelTotal: total, parallelIndex: index } = facts;
  return {
    commit: facts.commit.value,
    branch: facts.branch.value,
    name: facts.buildName?.value,
    mode: facts.mode?.value,
    parallel: nonce && total && { nonce: nonce.value, total: total.value, index: index?.value },
    details: {
      prNumber: facts.prNumber?.value,
      prHeadCommit: facts.prHeadCommit?.value,
      referenceBranch: facts.referenceBranch?.value,
      referenceCommit: facts.referenceCommit?.value,
      ciProvider: facts.ciProvider?.value,
      runId: facts.runId?.value,
      runAttempt: facts.runAttempt?.value,
      mergeQueuePrNumbers: facts.mergeQueuePrs?.value,
      subset: facts.subset?.value,
    },
    concurrency: facts.concurrency?.value,
    maxFailures: facts.failFast?.value === true ? 1 : facts.maxFailures?.value,
    deadline: facts.deadline?.value,
    allowMissing: facts.allowMissing?.value,
  };
}
