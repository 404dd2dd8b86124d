import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findSource } from '../../../src/cli/upload/findSource.js';
import { folderOf } from '../../node/support.js';
import { worldOf } from '../support.js';

async function repository(): Promise<{ folder: string; git: (...args: string[]) => string }> {
  const folder = await folderOf();
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  git('init', '--quiet', '--initial-branch', 'feature/x');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--allow-empty', '--message', 'x');
  return { folder, git };
}

describe('findSource', () => {
  it('asks git where neither options nor variables say it', async () => {
    const { folder, git } = await repository();
    expect(await findSource({}, worldOf({ cwd: folder }).io)).toMatchObject({ commit: git('rev-parse', 'HEAD'), branch: 'feature/x' });
  });

  it('believes options first, then variables', async () => {
    const env = { GITLAB_CI: '1', CI_COMMIT_SHA: 'a'.repeat(40), CI_COMMIT_REF_NAME: 'dev' };
    expect(await findSource({ branch: 'mine' }, worldOf({ env }).io)).toMatchObject({ commit: 'a'.repeat(40), branch: 'mine' });
  });

  it('asks for a branch where the working directory is on none', async () => {
    const { folder, git } = await repository();
    git('checkout', '--quiet', '--detach');
    await expect(findSource({}, worldOf({ cwd: folder }).io)).rejects.toThrow('on no branch (detached HEAD); give one with --branch');
  });
});
