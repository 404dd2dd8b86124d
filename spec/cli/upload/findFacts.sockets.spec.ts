import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findFacts } from '../../../src/cli/upload/findFacts.js';
import { readSettings } from '../../../src/cli/upload/settings/readSettings.js';
import { folderOf } from '../../node/support.js';
import { worldOf } from '../support.js';

async function repository(): Promise<{ folder: string; git: (...args: string[]) => string }> {
  const folder = await folderOf();
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  git('init', '--quiet', '--initial-branch', 'feature/x');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--allow-empty', '--message', 'x');
  return { folder, git };
}

const COMMIT = 'a'.repeat(40);
const GITLAB = { GITLAB_CI: '1', CI_COMMIT_SHA: COMMIT, CI_COMMIT_REF_NAME: 'dev', CI_PIPELINE_ID: '77' };

/** Facts by flags and variables. */
async function factsBy(flags: Parameters<typeof readSettings>[0], env: Record<string, string> = {}, embedded = false) {
  const { io } = worldOf({ env, cwd: await folderOf() });
  return findFacts(await readSettings(flags, io), io, embedded);
}

describe('findFacts', () => {
  it('asks git where neither settings nor CI variables say it', async () => {
    const { folder, git } = await repository();
    expect(await findFacts({}, worldOf({ cwd: folder }).io, false)).toMatchObject({
      commit: { value: git('rev-parse', 'HEAD'), from: 'git' },
      branch: { value: 'feature/x', from: 'git' },
    });
  });

  it('believes settings first, then CI variables', async () => {
    expect(await factsBy({ branch: 'mine' }, GITLAB)).toMatchObject({
      commit: { value: COMMIT, from: 'CI_COMMIT_SHA' },
      branch: { value: 'mine', from: '--branch' },
      ciProvider: { value: 'gitlab' },
    });
  });

  it('asks for a branch where the working directory is on none', async () => {
    const { folder, git } = await repository();
    git('checkout', '--quiet', '--detach');
    await expect(findFacts({}, worldOf({ cwd: folder }).io, false)).rejects.toThrow('on no branch (detached HEAD); give one with --branch');
  });

  it('asks neither CI nor git for the embedded server', async () => {
    expect(await factsBy({}, { GITHUB_ACTIONS: 'true', GITHUB_SHA: 'bad' }, true)).toMatchObject({
      commit: { value: '0'.repeat(40), from: '--embedded' },
      branch: { value: 'main' },
    });
  });
});

describe('findFacts, of shards', () => {
  it.each<[string, Parameters<typeof readSettings>[0], Record<string, string>, unknown]>([
    ['a job that GitLab split', {}, { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '3' }, ['77', 3, 2]],
    ['a job that GitLab split, and finalised by hand', { parallelTotal: '-1' }, { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '3' }, ['77', -1, 2]],
    ['a total', { parallelTotal: '4' }, {}, ['77', 4, undefined]],
    ['all by flags', { parallelNonce: 'n', parallelTotal: '4', parallelIndex: '1' }, {}, ['n', 4, 1]],
    ['variables as they are of the other client', {}, { ARGOS_PARALLEL: 'true', ARGOS_PARALLEL_TOTAL: '2' }, ['77', 2, undefined]],
    ['a job that was not split', {}, { CI_NODE_TOTAL: '1' }, [undefined, undefined, undefined]],
    [
      'a job that was split, and uploads alone',
      { parallel: false },
      { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '3' },
      [undefined, undefined, undefined],
    ],
  ])('knows nonce, total and index of %s', async (_case, flags, env, expected) => {
    const { parallelNonce, parallelTotal, parallelIndex } = await factsBy(flags, { ...GITLAB, ...env });
    expect([parallelNonce?.value, parallelTotal?.value, parallelIndex?.value]).toEqual(expected);
  });

  it.each<[string, Parameters<typeof readSettings>[0], Record<string, string>, string]>([
    ['a nonce', { parallelTotal: '2', commit: COMMIT, branch: 'b' }, {}, 'The nonce of the shards is not known: give --parallel-nonce'],
    ['a total', { parallelNonce: 'n' }, GITLAB, 'The number of shards is not known: give --parallel-total, -1 where'],
    [
      'an index that there is',
      { parallelTotal: '2' },
      { ...GITLAB, CI_NODE_INDEX: '3', CI_NODE_TOTAL: '3' },
      'CI_NODE_INDEX says shard 3, but --parallel-total says that there are 2',
    ],
  ])('asks for %s', async (_case, flags, env, message) => {
    await expect(factsBy(flags, env)).rejects.toThrow(message);
  });
});
