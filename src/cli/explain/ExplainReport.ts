import type { PolicyName } from '../../retry/policies.js';
import type { Distribution } from './distribution.js';
import type { Explanation } from './Explanation.js';

/**
 * Output of `coldfetch explain --json`. Times are ms of virtual time from the start; unknown values are left out. Fields may be added, none
 * of these goes away or changes its meaning within a major version.
 */
export interface ExplainReport extends Explanation {
  readonly policy: PolicyName;
  readonly script: string;
  /** Value of each draw in this run, not in those of `distribution`. */
  readonly random: number;
  /** With `--runs`. */
  readonly distribution?: Distribution;
}
