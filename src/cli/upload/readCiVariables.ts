import ci from 'ci-info';
import { UsageError } from '../../request/errors/UsageError.js';
import type { Io } from '../Io.js';
import { readGithubEvent } from './readGithubEvent.js';
import type { Sourced } from './settings/Setting.js';

/** Facts that a CI service gives about the run, each with the variable that holds it. */
export interface CiFacts {
  readonly commit?: Sourced<string> | undefined;
  readonly branch?: Sourced<string> | undefined;
  readonly ciProvider?: Sourced<string> | undefined;
  readonly runId?: Sourced<string> | undefined;
  readonly runAttempt?: Sourced<number> | undefined;
  readonly prNumber?: Sourced<number> | undefined;
  readonly prHeadCommit?: Sourced<string> | undefined;
  readonly mergeQueuePrs?: Sourced<readonly number[]> | undefined;
  /** Text that all jobs of the run share, and no other run. */
  readonly parallelNonce?: Sourced<string> | undefined;
  /** Number of the jobs into which the service split this one; unset for one that it did not split. */
  readonly parallelTotal?: Sourced<number> | undefined;
  /** Number of this job among them, from 1. */
  readonly parallelIndex?: Sourced<number> | undefined;
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
  /** Variables that together differ from run to run and are the same in all jobs of one. */
  readonly nonce?: readonly string[];
  /** Variables of a job that was split: its number, the number that the first one has, and how many there are. */
  readonly split?: { readonly index: string; readonly first: 0 | 1; readonly total: string };
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
    nonce: ['GITHUB_RUN_ID', 'GITHUB_RUN_ATTEMPT'],
    // GitHub gives a job no variables about its matrix: the workflow sets these, from the context `strategy`.
    split: { index: 'STRATEGY_JOB_INDEX', first: 0, total: 'STRATEGY_JOB_TOTAL' },
  },
  {
    name: 'gitlab',
    sign: 'GITLAB_CI',
    commit: ['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA', 'CI_COMMIT_SHA'],
    branch: ['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_REF_NAME'],
    prNumber: 'CI_MERGE_REQUEST_IID',
    runId: 'CI_PIPELINE_ID',
    nonce: ['CI_PIPELINE_ID'],
    split: { index: 'CI_NODE_INDEX', first: 1, total: 'CI_NODE_TOTAL' },
  },
  {
    name: 'circleci',
    sign: 'CIRCLECI',
    commit: ['CIRCLE_SHA1'],
    branch: ['CIRCLE_BRANCH'],
    prNumber: 'CIRCLE_PR_NUMBER',
    runId: 'CIRCLE_WORKFLOW_ID',
    nonce: ['CIRCLE_WORKFLOW_ID'],
    split: { index: 'CIRCLE_NODE_INDEX', first: 0, total: 'CIRCLE_NODE_TOTAL' },
  },
  {
    name: 'buildkite',
    sign: 'BUILDKITE',
    commit: ['BUILDKITE_COMMIT'],
    branch: ['BUILDKITE_BRANCH'],
    prNumber: 'BUILDKITE_PULL_REQUEST',
    runId: 'BUILDKITE_BUILD_ID',
    nonce: ['BUILDKITE_BUILD_ID'],
    split: { index: 'BUILDKITE_PARALLEL_JOB', first: 0, total: 'BUILDKITE_PARALLEL_JOB_COUNT' },
  },
  {
    name: 'travis',
    sign: 'TRAVIS',
    commit: ['TRAVIS_PULL_REQUEST_SHA', 'TRAVIS_COMMIT'],
    branch: ['TRAVIS_PULL_REQUEST_BRANCH', 'TRAVIS_BRANCH'],
    prNumber: 'TRAVIS_PULL_REQUEST',
    runId: 'TRAVIS_BUILD_ID',
    nonce: ['TRAVIS_BUILD_ID'],
  },
  {
    name: 'bitbucket',
    sign: 'BITBUCKET_COMMIT',
    commit: ['BITBUCKET_COMMIT'],
    branch: ['BITBUCKET_BRANCH'],
    prNumber: 'BITBUCKET_PR_ID',
    nonce: ['BITBUCKET_PIPELINE_UUID'],
    split: { index: 'BITBUCKET_PARALLEL_STEP', first: 0, total: 'BITBUCKET_PARALLEL_STEP_COUNT' },
  },
  {
    name: 'azure-pipelines',
    sign: 'TF_BUILD',
    commit: ['SYSTEM_PULLREQUEST_SOURCECOMMITID', 'BUILD_SOURCEVERSION'],
    branch: ['SYSTEM_PULLREQUEST_SOURCEBRANCH', 'BUILD_SOURCEBRANCH'],
    prNumber: 'SYSTEM_PULLREQUEST_PULLREQUESTNUMBER',
    runId: 'BUILD_BUILDID',
    nonce: ['BUILD_BUILDID'],
    split: { index: 'SYSTEM_JOBPOSITIONINPHASE', first: 1, total: 'SYSTEM_TOTALJOBSINPHASE' },
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
    nonce: ['BUILD_TAG'],
  },
];

/** Value of GIT_BRANCH where Jenkins has checked out a commit. */
const NO_BRANCH = 'detached';

/**
 * Reads the variables of the CI service that runs this process; no facts outside CI. Commit and branch are as the service gives them.
 *
 * @throws UsageError that names a variable whose value is none of its kind
 */
export function readCiVariables(env: Io['env']): CiFacts {
  const service = SERVICES.find(({ sign }) => env[sign]);
  if (!service) return ci.isCI && ci.id ? { ciProvider: { value: ci.id.toLowerCase().replaceAll('_', '-'), from: 'CI' } } : {};
  const { name, sign, commit, branch, prefix = 'refs/heads/', prNumber, runId, runAttempt, nonce } = service;
  return {
    commit: firstIn(env, commit),
    branch: mapped(firstIn(env, branch), (value) => (value.startsWith(prefix) ? value.slice(prefix.length) : value)),
    ciProvider: { value: name, from: sign },
    runId: runId === undefined ? undefined : firstIn(env, [runId]),
    runAttempt: runAttempt === undefined ? undefined : wholeNumberIn(env, runAttempt),
    prNumber: prNumber === undefined ? undefined : prNumberIn(env, prNumber),
    parallelNonce: nonce && joinedIn(env, nonce),
    ...(service.split && splitIn(env, service.split)),
    ...(name === 'github-actions' && readGithubEvent(env)),
  };
}

function firstIn(env: Io['env'], names: readonly string[]): Sourced<string> | undefined {
  return names.flatMap((name) => (env[name] ? [{ from: name, value: env[name] }] : [])).find(({ value }) => value !== NO_BRANCH);
}

function mapped<T>(found: Sourced<string> | undefined, change: (value: string) => T): Sourced<T> | undefined {
  return found && { value: change(found.value), from: found.from };
}

/** Values of all of these variables as one text: `7-1`. */
function joinedIn(env: Io['env'], names: readonly string[]): Sourced<string> | undefined {
  const values = names.flatMap((name) => (env[name] ? [env[name]] : []));
  return values.length === names.length ? { value: values.join('-'), from: names.join(', ') } : undefined;
}

/** Number of this job among those that it was split into; empty for one that was not split. */
function splitIn(env: Io['env'], { index, first, total }: NonNullable<Service['split']>): Pick<CiFacts, 'parallelIndex' | 'parallelTotal'> {
  const parallelTotal = wholeNumberIn(env, total);
  if (parallelTotal === undefined || parallelTotal.value < 2) return {};
  const parallelIndex = wholeNumberIn(env, index, first);
  return { parallelTotal, parallelIndex: parallelIndex && { value: parallelIndex.value + 1 - first, from: index } };
}

/** Number of a pull request; some services say `false` where there is none, GitHub gives a ref of whichever kind. */
function prNumberIn(env: Io['env'], name: string): Sourced<number> | undefined {
  const value = env[name];
  if (value === 'false') return undefined;
  if (!value?.startsWith('refs/')) return wholeNumberIn(env, name);
  const [, number] = /^refs\/pull\/([1-9]\d*)\//.exec(value) ?? [];
  return number === undefined ? undefined : { value: Number(number), from: name };
}

function wholeNumberIn(env: Io['env'], name: string, least = 1): Sourced<number> | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (!/^\d{1,15}$/.test(value) || Number(value) < least)
    throw new UsageError(`${name} is ${JSON.stringify(value)}; it should be a whole number: mend or unset it`);
  return { value: Number(value), from: name };
}
