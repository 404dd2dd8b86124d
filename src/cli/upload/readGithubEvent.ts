import { readFileSync } from 'node:fs';
import { isMissing } from '../../node/files/fileErrors.js';
import { UsageError } from '../../request/errors/UsageError.js';
import type { Io } from '../Io.js';
import type { Sourced } from './settings/Setting.js';

/** Facts that GitHub Actions gives in the file of the event, and in no variable. */
export interface GithubFacts {
  readonly prHeadCommit?: Sourced<string>;
  readonly prNumber?: Sourced<number>;
  readonly mergeQueuePrs?: Sourced<readonly number[]>;
}

/** Fields of an event that are read. */
interface GithubEvent {
  readonly pull_request?: { readonly head?: { readonly sha?: unknown } };
  readonly merge_group?: { readonly head_ref?: unknown };
}

const VARIABLE = 'GITHUB_EVENT_PATH';

/**
 * Reads the event that started a run of GitHub Actions: the newest commit of a pull request (the run's own is that of a merge), and the pull request
 * of a merge queue, whose branch is named after it: `gh-readonly-queue/main/pr-12-3f5a`.
 *
 * @throws UsageError that names the variable for a file that is not JSON
 */
export function readGithubEvent(env: Io['env']): GithubFacts {
  const { pull_request: pullRequest, merge_group: mergeGroup } = readEvent(env[VARIABLE]);
  const sha = pullRequest?.head?.sha;
  const ref = mergeGroup?.head_ref;
  const [, queued] = /queue\/.+\/pr-([1-9]\d*)-/.exec(typeof ref === 'string' ? ref : '') ?? [];
  return {
    ...(typeof sha === 'string' && { prHeadCommit: { value: sha, from: VARIABLE } }),
    ...(mergeGroup && { mergeQueuePrs: { value: queued === undefined ? [] : [Number(queued)], from: VARIABLE } }),
    ...(queued !== undefined && { prNumber: { value: Number(queued), from: VARIABLE } }),
  };
}

function readEvent(path: string | undefined): GithubEvent {
  if (!path) return {};
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) ?? {}) as GithubEvent;
  } catch (cause) {
    // The file may be out of sight for a job in a container.
    if (isMissing(cause)) return {};
    throw new UsageError(`${VARIABLE} names a file that cannot be read as JSON; mend or unset it`, { cause });
  }
}
