import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BuildDetails } from '../../node/UploadBuildOptions.js';
import { codeOf } from '../../request/codeOf.js';
import { UsageError } from '../../request/errors/UsageError.js';
import type { Io } from '../Io.js';
import { readCiVariables } from './readCiVariables.js';

/** What the screenshots show. */
export interface Source {
  readonly commit: string;
  readonly branch: string;
  readonly details: BuildDetails;
}

/**
 * The commit and branch of an upload: as given, else what the CI service says (its checkouts are seldom on a branch), else what git says of
 * the working directory.
 *
 * @throws UsageError that names what is missing and the option for it
 */
export async function findSource(
  given: { readonly commit?: string | undefined; readonly branch?: string | undefined },
  io: Io,
): Promise<Source> {
  const ci = readCiVariables(io.env);
  const commit = given.commit ?? ci?.commit ?? (await git(io.cwd, 'commit', ['rev-parse', 'HEAD']));
  const branch = given.branch ?? ci?.branch ?? (await git(io.cwd, 'branch', ['rev-parse', '--abbrev-ref', 'HEAD']));
  if (!/^[\da-f]{40}$/i.test(commit)) throw new UsageError(`--commit is ${JSON.stringify(commit)}; give all of its 40 hexadecimal digits`);
  if (branch === 'HEAD') throw new UsageError('The working directory is on no branch (detached HEAD); give one with --branch');
  return { commit, branch, details: ci?.details ?? {} };
}

async function git(cwd: string, what: 'commit' | 'branch', args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd });
    return stdout.trim();
  } catch (cause) {
    const why = codeOf(cause) === 'ENOENT' ? 'git is not installed' : `${cwd} is no git repository with a commit`;
    throw new UsageError(`No ${what} is known: ${why}; give it with --${what}`, { cause });
  }
}
