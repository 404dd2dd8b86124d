import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { codeOf } from '../../request/errors/causes.js';
import { UsageError } from '../../request/errors/UsageError.js';
import type { Io } from '../Io.js';
import type { BuildFacts } from './BuildFacts.js';
import { findParallel } from './findParallel.js';
import { readCiVariables } from './readCiVariables.js';
import type { Settings } from './settings/readSettings.js';
import type { Sourced } from './settings/Setting.js';
import { SETTINGS } from './settings/SETTINGS.js';

/** Source of an upload to the embedded server, whose images need not belong to a repository. */
const EMBEDDED = { commit: '0'.repeat(40), branch: 'main' } as const;

/**
 * All known facts of a build: from settings, then from the CI service (its checkouts are seldom on a branch), then from git in the working
 * directory.
 *
 * @param embedded true if the upload goes to the embedded server, for which neither CI nor git is asked
 * @throws UsageError that names the missing or wrong fact: the option, or the variable
 */
export async function findFacts(settings: Settings, io: Io, embedded: boolean): Promise<BuildFacts> {
  const ci = embedded ? {} : readCiVariables(io.env);
  const commit = settings.commit ?? checked('commit', ci.commit) ?? (await lastResort('commit', ['rev-parse', 'HEAD'], io, embedded));
  const branch =
    settings.branch ?? checked('branch', ci.branch) ?? (await lastResort('branch', ['rev-parse', '--abbrev-ref', 'HEAD'], io, embedded));
  if (branch.value === 'HEAD') throw new UsageError('The working directory is on no branch (detached HEAD); give one with --branch');
  const { parallel: _parallel, parallelNonce: _nonce, parallelTotal: _total, parallelIndex: _index, ...others } = settings;
  return {
    prNumber: ci.prNumber,
    prHeadCommit: ci.prHeadCommit,
    mergeQueuePrs: ci.mergeQueuePrs,
    ciProvider: ci.ciProvider,
    runId: ci.runId,
    runAttempt: ci.runAttempt,
    ...others,
    ...findParallel(settings, ci),
    commit,
    branch,
  };
}

function checked(name: 'commit' | 'branch', found: Sourced<string> | undefined): Sourced<string> | undefined {
  return found && { value: SETTINGS[name].parse(found.value, found.from), from: found.from };
}

async function lastResort(
  wanted: 'commit' | 'branch',
  args: readonly string[],
  { cwd }: Pick<Io, 'cwd'>,
  embedded: boolean,
): Promise<Sourced<string>> {
  if (embedded) return { value: EMBEDDED[wanted], from: '--embedded' };
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd });
    return { value: stdout.trim(), from: 'git' };
  } catch (cause) {
    const why = codeOf(cause) === 'ENOENT' ? 'git is not installed' : `${cwd} is not a git repository with a commit`;
    throw new UsageError(`No ${wanted} is known: ${why}; give it with --${wanted}`, { cause });
  }
}
