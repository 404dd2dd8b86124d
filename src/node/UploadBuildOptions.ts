import type { HttpEvent } from '../request/HttpEvent.js';
import type { RetryPolicyInput } from '../retry/RetryPolicy.js';

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
  /** Whether these are only some of the project's screenshots. */
  readonly subset?: boolean | undefined;
}

/** Options of `uploadBuild`. */
export interface UploadBuildOptions {
  /** The commit that the screenshots show: 40 hexadecimal digits. */
  readonly commit: string;
  /** Its branch. */
  readonly branch: string;
  /** The build's name, for projects that have several a commit; the API's default otherwise. */
  readonly name?: string | undefined;
  /** `'ci'` (default): compared with the branch's baseline; `'monitoring'`: with the build before. */
  readonly mode?: 'ci' | 'monitoring' | undefined;
  /** Files sent at once, 1 or more; 10 by default. */
  readonly concurrency?: number | undefined;
  /**
   * Policy by which requests are retried, `policies.upload` by default. The request that creates the build is sent again only where no second
   * build can come of it.
   */
  readonly retry?: RetryPolicyInput<HttpEvent> | undefined;
  /** Further facts for the API. */
  readonly details?: BuildDetails | undefined;
}
