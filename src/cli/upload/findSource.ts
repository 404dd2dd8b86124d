import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BuildDetails } from '../../node/UploadBuildOptions.js';
import { codeOf } from '../../request/codeOf.js';
import { UsageError } from '../../request/errors/UsageError.js';
import type { Io } from '../Io.js';
import { type NamedValue, readCiVariables } from './readCiVariables.js';

/** Commit and branch that the screenshots show. */
export interface Source {
  readonly commit: string;
  readonly branch: string;
  readonly details: BuildDetails;
}

/** Options that say it. */
export interface SourceOptions {
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
}

/**
 * The commit and branch of an upload: as given, else those of the CI service (its checkouts are seldom on a branch), else those of the working
 * directory by git.
 *
 * @throws UsageError that names what is missing or wrong: the option, or the variable
 */
export async function findSource(given: SourceOptions, io: Io): Promise<Source> {
  const options = givenSource(given);
  const ci = readCiVariables(io.env);
  const commit = options.commit ?? (ci?.commit && commitIn(ci.commit)) ?? (await git(io.cwd, 'commit', ['rev-parse', 'HEAD']));
  const branch =
    options.branch ?? (ci?.branch && branchIn(ci.branch)) ?? (await git(io.cwd, 'branch', ['rev-parse', '--abbrev-ref', 'HEAD']));
  if (branch === 'HEAD') throw new UsageError('The working directory is on no branch (detached HEAD); give one with --branch');
  return { commit, branch, details: ci?.details ?? {} };
}

/** Commit and branch as options give them. @throws UsageError for an option whose value is none */
export function givenSource({ commit, branch }: SourceOptions): Partial<Pick<Source, 'commit' | 'branch'>> {
  return {
    ...(commit !== undefined && { commit: commitIn({ name: '--commit', value: commit }) }),
    ...(branch !== undefined && { branch: branchIn({ name: '--branch', value: branch }) }),
  };
}

function commitIn({ name, value }: NamedValue): string {
  if (!/^[\da-f]{40}$/i.test(value)) throw new UsageError(`${name} is ${JSON.stringify(value)}; give all of its 40 hexadecimal digits`);
  return value;
}

function branchIn({ name, value }: NamedValue): string {
  if (value.trim() === '') throw new UsageError(`${name} is ${JSON.stringify(value)}; give the name of the branch`);
  return value;
}

async function git(cwd: string, wanted: 'commit' | 'branch', args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd });
    return stdout.trim();
  } catch (cause) {
    const why = codeOf(cause) === 'ENOENT' ? 'git is not installed' : `${cwd} is no git repository with a commit`;
    throw new UsageError(`No ${wanted} is known: ${why}; give it with --${wanted}`, { cause });
  }
}
