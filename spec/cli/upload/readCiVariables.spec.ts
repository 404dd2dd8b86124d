import { describe, expect, it } from 'vitest';
import { readCiVariables } from '../../../src/cli/upload/readCiVariables.js';

describe('readCiVariables', () => {
  it.each([
    [
      'a push on GitHub',
      {
        GITHUB_ACTIONS: 'true',
        GITHUB_SHA: 'a',
        GITHUB_HEAD_REF: '',
        GITHUB_REF_NAME: 'main',
        GITHUB_REF: 'refs/heads/main',
        GITHUB_RUN_ID: '7',
      },
      {
        commit: { name: 'GITHUB_SHA', value: 'a' },
        branch: { name: 'GITHUB_REF_NAME', value: 'main' },
        details: { ciProvider: 'github-actions', prNumber: undefined, runId: '7' },
      },
    ],
    [
      'a pull request on GitHub',
      {
        GITHUB_ACTIONS: 'true',
        GITHUB_SHA: 'a',
        GITHUB_HEAD_REF: 'fix',
        GITHUB_REF_NAME: '12/merge',
        GITHUB_REF: 'refs/pull/12/merge',
        GITHUB_RUN_ATTEMPT: '2',
      },
      { branch: { value: 'fix' }, details: { prNumber: 12, runAttempt: 2 } },
    ],
    [
      'GitLab',
      { GITLAB_CI: '1', CI_COMMIT_SHA: 'a', CI_COMMIT_REF_NAME: 'dev', CI_MERGE_REQUEST_IID: '3' },
      { commit: { value: 'a' }, branch: { value: 'dev' }, details: { prNumber: 3 } },
    ],
    [
      'Azure',
      { TF_BUILD: 'True', BUILD_SOURCEVERSION: 'a', BUILD_SOURCEBRANCH: 'refs/heads/dev' },
      { commit: { value: 'a' }, branch: { value: 'dev' } },
    ],
    [
      'Buildkite without a pull request',
      { BUILDKITE: 'true', BUILDKITE_COMMIT: 'a', BUILDKITE_BRANCH: 'dev', BUILDKITE_PULL_REQUEST: 'false' },
      { branch: { value: 'dev' }, details: { prNumber: undefined } },
    ],
    [
      'Jenkins',
      { JENKINS_URL: 'http://ci/', GIT_COMMIT: 'a', GIT_BRANCH: 'origin/feature/x', BUILD_ID: '7' },
      { commit: { value: 'a' }, branch: { name: 'GIT_BRANCH', value: 'feature/x' }, details: { ciProvider: 'jenkins', runId: '7' } },
    ],
    [
      'a pull request on Jenkins',
      { JENKINS_URL: 'http://ci/', GIT_COMMIT: 'a', GIT_BRANCH: 'PR-12', BRANCH_NAME: 'PR-12', CHANGE_BRANCH: 'fix', CHANGE_ID: '12' },
      { branch: { value: 'fix' }, details: { prNumber: 12 } },
    ],
    ['a commit that Jenkins checked out', { JENKINS_URL: 'http://ci/', GIT_COMMIT: 'a', GIT_BRANCH: 'detached' }, { branch: undefined }],
  ])('reads %s', (_service, env, facts) => {
    expect(readCiVariables(env)).toMatchObject(facts);
  });
});
