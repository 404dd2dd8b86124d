import type { HttpEvent } from '../request/HttpEvent.js';
import type { RetryPolicyInput } from '../retry/RetryPolicy.js';

/** What else the API may be told of a build; what is not known is sent as `null`. */
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
  /** How requests are retried, but for the one that creates the build, which is sent again only where no build can come of it twice;
   *  `policies.upload` by default. */
  readonly retry?: RetryPolicyInput<HttpEvent> | undefined;
  /** What else the API may be told. */
  readonly details?: BuildDetails | undefined;
}
