import type { HttpEvent } from '../request/HttpEvent.js';
import type { RetryPolicyInput } from '../retry/RetryPolicy.js';
import type { UploadOptions } from './UploadOptions.js';

/** Further facts about a build for the API; unknown ones are sent as `null`. */
export interface BuildDetails {
  readonly prNumber?: number | undefined;
  readonly prHeadCommit?: string | undefined;
  readonly referenceBranch?: string | undefined;
  readonly referenceCommit?: string | undefined;
  readonly parentCommits?: readonly string[] | undefined;
  readonly ciProvider?: string | undefined;
  readonly runId?: string | undefined;
  readonly runAttempt?: number | undefined;
  /** Pull requests that a merge queue tests together; given by a merge queue's run alone, even as an empty list. */
  readonly mergeQueuePrNumbers?: readonly number[] | undefined;
  /** True if these are only some of the project's screenshots. */
  readonly subset?: boolean | undefined;
}

/** Place of an upload among the shards of a parallel build. */
export interface ParallelOptions {
  /** Text that all shards share and that no other run uses: it leads to the same build. */
  readonly nonce: string;
  /** Number of shards; the last of them to arrive completes the build. -1: `finalizeBuilds` completes it. */
  readonly total: number;
  /**
   * Number of this shard, from 1, by which a shard that runs twice is recognized. Shards without one are counted as they come, and each has
   * to register all of its names with one request (about 5,000 of them).
   */
  readonly index?: number | undefined;
}

/** Options of `uploadBuild`. */
export interface UploadBuildOptions extends UploadOptions {
  /** The commit that the screenshots show: 40 hexadecimal digits. */
  readonly commit: string;
  /** Branch of the commit. */
  readonly branch: string;
  /** Name of the build, for projects that have several for one commit; the API's default otherwise. */
  readonly name?: string | undefined;
  /** `'ci'` (default): compared with the branch's baseline; `'monitoring'`: with the build before. */
  readonly mode?: 'ci' | 'monitoring' | undefined;
  /** Place of the upload among the shards of a parallel build; without it the build has one upload. */
  readonly parallel?: ParallelOptions | undefined;
  /**
   * Policy by which requests are retried, {@link uploadPolicy} by default. The request that creates the build is sent again only where no
   * second build can result.
   */
  readonly retry?: RetryPolicyInput<HttpEvent> | undefined;
  /** Further facts for the API. */
  readonly details?: BuildDetails | undefined;
  /** Facts about the build to be kept with it, such as those of the test report. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}
