import ci from 'ci-info';
import { UsageError } from '../../request/errors/UsageError.js';
import type { BuildDetails } from '../../node/UploadBuildOptions.js';
import type { Io } from '../Io.js';

/** A value, and the variable or option that holds it. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Facts that a CI service tells of the run. */
export interface CiFacts {
  readonly commit?: NamedValue | undefined;
  readonly branch?: NamedValue | undefined;
  readonly details: BuildDetails;
}

interface Service {
  readonly name: string;
  /** A variable that only this service sets. */
  readonly sign: string;
  /** Variables of the commit and the branch; the first that is set counts. For a pull request its own commit and branch come first. */
  readonly commit: readonly string[];
  readonly branch: readonly string[];
  /** Start of a branch's value that is no part of its name; `refs/heads/` by default. */
  readonly prefix?: string;
  readonly prNumber?: string;
  readonly runId?: string;
  readonly runAttempt?: string;
}

const SERVICES: readonly Service[] = [
  {
    name: 'github-actions',
    sign: 'GITHUB_ACTIONS',
    commit: ['GITHUB_SHA'],
    branch: ['GITHUB_HEAD_REF', 'GITHUB_REF_NAME'],
    prNumber: 'GITHUB_REF',
    runId: 'GITHUB_RUN_ID',
    runAttempt: 'GITHUB_RUN_ATTEMPT',
  },
  {
    name: 'gitlab',
    sign: 'GITLAB_CI',
    commit: ['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA', 'CI_COMMIT_SHA'],
    branch: ['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_REF_NAME'],
    prNumber: 'CI_MERGE_REQUEST_IID',
    runId: 'CI_PIPELINE_ID',
  },
  {
    name: 'circleci',
    sign: 'CIRCLECI',
    commit: ['CIRCLE_SHA1'],
    branch: ['CIRCLE_BRANCH'],
    prNumber: 'CIRCLE_PR_NUMBER',
    runId: 'CIRCLE_WORKFLOW_ID',
  },
  {
    name: 'buildkite',
    sign: 'BUILDKITE',
    commit: ['BUILDKITE_COMMIT'],
    branch: ['BUILDKITE_BRANCH'],
    prNumber: 'BUILDKITE_PULL_REQUEST',
    runId: 'BUILDKITE_BUILD_ID',
  },
  {
    name: 'travis',
    sign: 'TRAVIS',
    commit: ['TRAVIS_PULL_REQUEST_SHA', 'TRAVIS_COMMIT'],
    branch: ['TRAVIS_PULL_REQUEST_BRANCH', 'TRAVIS_BRANCH'],
    prNumber: 'TRAVIS_PULL_REQUEST',
    runId: 'TRAVIS_BUILD_ID',
  },
  { name: 'bitbucket', sign: 'BITBUCKET_COMMIT', commit: ['BITBUCKET_COMMIT'], branch: ['BITBUCKET_BRANCH'], prNumber: 'BITBUCKET_PR_ID' },
  {
    name: 'azure-pipelines',
    sign: 'TF_BUILD',
    commit: ['SYSTEM_PULLREQUEST_SOURCECOMMITID', 'BUILD_SOURCEVERSION'],
    branch: ['SYSTEM_PULLREQUEST_SOURCEBRANCH', 'BUILD_SOURCEBRANCH'],
    prNumber: 'SYSTEM_PULLREQUEST_PULLREQUESTNUMBER',
    runId: 'BUILD_BUILDID',
  },
  {
    name: 'jenkins',
    sign: 'JENKINS_URL',
    commit: ['GIT_COMMIT'],
    // A multibranch pipeline sets the first two; GIT_BRANCH names a branch of a remote: `origin/main`.
    branch: ['CHANGE_BRANCH', 'BRANCH_NAME', 'GIT_BRANCH'],
    prefix: 'origin/',
    prNumber: 'CHANGE_ID',
    runId: 'BUILD_ID',
  },
];

/** Value of GIT_BRANCH where Jenkins has checked out a commit. */
const NO_BRANCH = 'detached';

/**
 * Reads the variables of the CI service that runs this process; undefined outside CI.
 *
 * @throws UsageError that names a variable whose value is none of its kind
 */
export function readCiVariables(env: Io['env']): CiFacts | undefined {
  const service = SERVICES.find(({ sign }) => env[sign]);
  if (!service) return ci.isCI ? { details: { ciProvider: ci.id?.toLowerCase().replaceAll('_', '-') } } : undefined;
  const first = (names: readonly string[]): NamedValue | undefined =>
    names.flatMap((name) => (env[name] ? [{ name, value: env[name] }] : [])).find(({ value }) => value !== NO_BRANCH);
  const { name, commit, branch, prefix = 'refs/heads/', prNumber = '', runId = '', runAttempt = '' } = service;
  const found = first(branch);
  return {
    commit: first(commit),
    branch: found && { name: found.name, value: found.value.startsWith(prefix) ? found.value.slice(prefix.length) : found.value },
    details: {
      ciProvider: name,
      prNumber: prNumberIn(env, prNumber),
      runId: env[runId],
      runAttempt: wholeNumberIn(env, runAttempt),
    },
  };
}

/** Number of a pull request; some services say `false` where there is none, GitHub gives a ref of whichever kind. */
function prNumberIn(env: Io['env'], name: string): number | undefined {
  const value = env[name];
  if (value === 'false') return undefined;
  if (!value?.startsWith('refs/')) return wholeNumberIn(env, name);
  const [, number] = /^refs\/pull\/([1-9]\d*)\//.exec(value) ?? [];
  return number === undefined ? undefined : Number(number);
}

function wholeNumberIn(env: Io['env'], name: string): number | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(value))
    throw new UsageError(`${name} is ${JSON.stringify(value)}; it should be a whole number: mend or unset it`);
  return Number(value);
}
