import ci from 'ci-info';
import type { BuildDetails } from '../../node/UploadBuildOptions.js';
import type { Io } from '../Io.js';

/** What a CI service says of the run, as far as it says it. */
export interface CiFacts {
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  readonly details: BuildDetails;
}

interface Service {
  readonly name: string;
  /** A variable that only this service sets. */
  readonly sign: string;
  /** Where it says what; the first variable that is set counts. For a pull request its own commit and branch come first. */
  readonly commit: readonly string[];
  readonly branch: readonly string[];
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
];

/** Reads the variables of the CI service that runs us; undefined outside CI and where it says nothing of commits. */
export function readCiVariables(env: Io['env']): CiFacts | undefined {
  const service = SERVICES.find(({ sign }) => env[sign]);
  if (!service) return ci.isCI ? { details: { ciProvider: ci.id?.toLowerCase().replaceAll('_', '-') } } : undefined;
  const first = (names: readonly string[]): string | undefined => names.map((name) => env[name]).find(Boolean);
  const { name, commit, branch, prNumber = '', runId = '', runAttempt = '' } = service;
  return {
    commit: first(commit),
    branch: first(branch)?.replace(/^refs\/heads\//, ''),
    details: {
      ciProvider: name,
      prNumber: whole(/^(?:refs\/pull\/)?(\d+)(?:\/|$)/.exec(env[prNumber] ?? '')?.[1]),
      runId: env[runId],
      runAttempt: whole(env[runAttempt]),
    },
  };
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
}
