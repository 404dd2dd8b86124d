import type { PolicyName } from '../../retry/policies.js';
import type { Distribution } from './distribution.js';
import type { Explanation } from './Explanation.js';

/**
 * What `coldfetch explain --json` prints. Times are ms of virtual time from the start; what is not known is left out. Fields may be added, none
 * of these goes away or changes its meaning within a major version.
 */
export interface ExplainReport extends Explanation {
  readonly policy: PolicyName;
  readonly script: string;
  /** What each draw was: of this run, not of those in `distribution`. */
  readonly random: number;
  /** With `--runs`. */
  readonly distribution?: Distribution;
}
