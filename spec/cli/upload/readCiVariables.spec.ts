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
      { commit: 'a', branch: 'main', details: { ciProvider: 'github-actions', prNumber: undefined, runId: '7' } },
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
      { branch: 'fix', details: { prNumber: 12, runAttempt: 2 } },
    ],
    [
      'GitLab',
      { GITLAB_CI: '1', CI_COMMIT_SHA: 'a', CI_COMMIT_REF_NAME: 'dev', CI_MERGE_REQUEST_IID: '3' },
      { commit: 'a', branch: 'dev', details: { prNumber: 3 } },
    ],
    ['Azure', { TF_BUILD: 'True', BUILD_SOURCEVERSION: 'a', BUILD_SOURCEBRANCH: 'refs/heads/dev' }, { commit: 'a', branch: 'dev' }],
    [
      'Buildkite without a pull request',
      { BUILDKITE: 'true', BUILDKITE_COMMIT: 'a', BUILDKITE_BRANCH: 'dev', BUILDKITE_PULL_REQUEST: 'false' },
      { branch: 'dev', details: { prNumber: undefined } },
    ],
  ])('reads %s', (_service, env, facts) => {
    expect(readCiVariables(env)).toMatchObject(facts);
  });
});
