import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/run.js';
import { folderOf } from '../../node/support.js';
import { worldOf } from '../support.js';

/** Starts `coldfetch serve`, gives its URL, and what stops it. */
async function serving(...argv: string[]) {
  const stop$ = new Subject<'SIGINT' | 'SIGTERM'>();
  const { io, stdout, stderr } = worldOf({ stop$ });
  const running = run(['serve', ...argv], io);
  await expect.poll(() => stdout() + stderr()).toContain('\n');
  const [, url = ''] = /^build API: (\S+)\n/.exec(stdout()) ?? [];
  return {
    url,
    stdout,
    stop: (signal: 'SIGINT' | 'SIGTERM') => {
      stop$.next(signal);
      return running;
    },
  };
}

const project = (url: string, token: string): Promise<Response> =>
  fetch(new URL('project', url), { headers: { authorization: `Bearer ${token}` } });

describe('coldfetch serve', () => {
  it('serves the build API until it is stopped', async () => {
    const { url, stop } = await serving();
    expect((await project(url, 'any')).status).toBe(200);
    expect(await stop('SIGINT')).toBe(130);
    await expect(project(url, 'any')).rejects.toThrow();
  });

  it.each([
    ['all', ['--cors'], 'https://a.example', '*'],
    ['one', ['--cors', 'https://a.example', 'https://b.example'], 'https://b.example', 'https://b.example'],
    ['no other', ['--cors', 'https://a.example'], 'https://c.example', null],
    ['none', [], 'https://a.example', null],
  ])('lets pages of other origins in when it is told: %s', async (_case, argv, origin, allowed) => {
    const { url, stop } = await serving(...argv);
    expect((await fetch(new URL('project', url), { headers: { origin } })).headers.get('access-control-allow-origin')).toBe(allowed);
    await stop('SIGINT');
  });

  it('limits, checks the token, fails now and then, and keeps files where it is told', async () => {
    const folder = await folderOf();
    const { url, stdout, stop } = await serving(
      ...['--folder', folder, '--token', 'right', '--limit', '2', '--window', '60', '--flaky', 'GET /v2/project'],
    );
    expect(stdout()).toContain(`files: ${folder}`);
    const statuses = [(await project(url, 'right')).status, (await project(url, 'wrong')).status, (await project(url, 'right')).status];
    expect(statuses).toEqual([503, 503, 429]);
    expect(await stop('SIGTERM')).toBe(143);
  });
});
