import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CiFacts, readCiVariables } from '../../../src/cli/upload/readCiVariables.js';
import { folderOf } from '../../support/folderOf.js';

/** The values of facts, without their places. */
const values = (facts: CiFacts) =>
  Object.fromEntries(Object.entries(facts).map(([name, found]: [string, CiFacts[keyof CiFacts]]) => [name, found?.value]));

describe('readCiVariables', () => {
  it.each<[string, Record<string, string>, Record<string, unknown>]>([
    [
      'a push on GitHub',
      {
        ...{ GITHUB_ACTIONS: 'true', GITHUB_SHA: 'a', GITHUB_HEAD_REF: '', GITHUB_REF_NAME: 'main' },
        ...{ GITHUB_REF: 'refs/heads/main', GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '2' },
      },
      { commit: 'a', branch: 'main', ciProvider: 'github-actions', prNumber: undefined, runId: '7', runAttempt: 2, parallelNonce: '7-2' },
    ],
    [
      'a pull request on GitHub',
      {
        ...{ GITHUB_ACTIONS: 'true', GITHUB_SHA: 'a', GITHUB_HEAD_REF: 'fix', GITHUB_REF_NAME: '12/merge' },
        ...{ GITHUB_REF: 'refs/pull/12/merge', GITHUB_RUN_ATTEMPT: '2' },
      },
      { branch: 'fix', prNumber: 12, runAttempt: 2, parallelNonce: undefined },
    ],
    [
      'a matrix on GitHub, as the workflow tells it',
      { GITHUB_ACTIONS: 'true', STRATEGY_JOB_INDEX: '0', STRATEGY_JOB_TOTAL: '4' },
      { parallelIndex: 1, parallelTotal: 4 },
    ],
    [
      'GitLab',
      {
        ...{ GITLAB_CI: '1', CI_COMMIT_SHA: 'a', CI_COMMIT_REF_NAME: 'dev', CI_MERGE_REQUEST_IID: '3' },
        ...{ CI_PIPELINE_ID: '9', CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' },
      },
      { commit: 'a', branch: 'dev', prNumber: 3, parallelNonce: '9', parallelIndex: 2, parallelTotal: 4 },
    ],
    ['a job that GitLab did not split', { GITLAB_CI: '1', CI_NODE_TOTAL: '1' }, { ciProvider: 'gitlab' }],
    [
      'CircleCI',
      { CIRCLECI: 'true', CIRCLE_WORKFLOW_ID: 'w', CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '2' },
      { parallelNonce: 'w', parallelIndex: 1, parallelTotal: 2 },
    ],
    [
      'Azure',
      {
        ...{ TF_BUILD: 'True', BUILD_SOURCEVERSION: 'a', BUILD_SOURCEBRANCH: 'refs/heads/dev', BUILD_BUILDID: '8' },
        ...{ SYSTEM_JOBPOSITIONINPHASE: '3', SYSTEM_TOTALJOBSINPHASE: '3' },
      },
      { commit: 'a', branch: 'dev', parallelNonce: '8', parallelIndex: 3, parallelTotal: 3 },
    ],
    [
      'Buildkite without a pull request',
      {
        ...{ BUILDKITE: 'true', BUILDKITE_COMMIT: 'a', BUILDKITE_BRANCH: 'dev', BUILDKITE_PULL_REQUEST: 'false' },
        ...{ BUILDKITE_BUILD_ID: 'b', BUILDKITE_PARALLEL_JOB: '4', BUILDKITE_PARALLEL_JOB_COUNT: '5' },
      },
      { branch: 'dev', prNumber: undefined, parallelNonce: 'b', parallelIndex: 5, parallelTotal: 5 },
    ],
    [
      'Bitbucket',
      { BITBUCKET_COMMIT: 'a', BITBUCKET_PIPELINE_UUID: '{p}', BITBUCKET_PARALLEL_STEP: '0', BITBUCKET_PARALLEL_STEP_COUNT: '2' },
      { parallelNonce: '{p}', parallelIndex: 1, parallelTotal: 2 },
    ],
    [
      'Jenkins',
      { JENKINS_URL: 'http://ci/', GIT_COMMIT: 'a', GIT_BRANCH: 'origin/feature/x', BUILD_ID: '7', BUILD_TAG: 'jenkins-web-7' },
      { commit: 'a', branch: 'feature/x', ciProvider: 'jenkins', runId: '7', parallelNonce: 'jenkins-web-7' },
    ],
    [
      'a pull request on Jenkins',
      { JENKINS_URL: 'http://ci/', GIT_COMMIT: 'a', GIT_BRANCH: 'PR-12', BRANCH_NAME: 'PR-12', CHANGE_BRANCH: 'fix', CHANGE_ID: '12' },
      { branch: 'fix', prNumber: 12 },
    ],
    ['a commit that Jenkins checked out', { JENKINS_URL: 'http://ci/', GIT_COMMIT: 'a', GIT_BRANCH: 'detached' }, { branch: undefined }],
  ])('reads %s', (_service, env, facts) => {
    expect(values(readCiVariables(env))).toMatchObject(facts);
  });

  it('tells the variables that the values come from', () => {
    expect(readCiVariables({ GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '1' })).toMatchObject({
      runId: { from: 'GITHUB_RUN_ID' },
      parallelNonce: { value: '7-1', from: 'GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT' },
    });
  });

  it.each([
    [
      'the newest commit of a pull request',
      { pull_request: { head: { sha: 'b'.repeat(40) } } },
      { prHeadCommit: 'b'.repeat(40), mergeQueuePrs: undefined },
    ],
    [
      'the pull request of a merge queue',
      { merge_group: { head_ref: 'refs/heads/gh-readonly-queue/main/pr-15-3f5a' } },
      { mergeQueuePrs: [15], prNumber: 15 },
    ],
    ['a merge queue whose branch tells nothing', { merge_group: { head_ref: 'refs/heads/x' } }, { mergeQueuePrs: [] }],
  ])('reads %s in the event of GitHub', async (_case, event, facts) => {
    const folder = await folderOf({ 'event.json': JSON.stringify(event) });
    const read = values(readCiVariables({ GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: join(folder, 'event.json') }));
    expect({ mergeQueuePrs: undefined, ...read }).toMatchObject(facts);
  });

  it('goes without an event that is not there, and names the variable of one that is not JSON', async () => {
    const folder = await folderOf({ 'event.json': '{' });
    const read = (name: string) => () => readCiVariables({ GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: join(folder, name) });
    expect(read('nowhere.json')()).toMatchObject({ ciProvider: { value: 'github-actions' } });
    expect(read('event.json')).toThrow('GITHUB_EVENT_PATH names a file that cannot be read as JSON');
  });
});
