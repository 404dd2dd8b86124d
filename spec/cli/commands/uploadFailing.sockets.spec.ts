import { createHash } from 'node:crypto';
import { startServer } from 'coldfetch/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../../src/cli/run.js';
import { folderOf } from '../../support/folderOf.js';
import { handClock } from '../../support/handClock.js';
import { coldfetch, worldOf } from '../support.js';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const FOREVER = 3_600_000;

/** A server at which the storage takes no image of these bytes: its permits have expired, also when they are new. */
async function target(...bad: string[]) {
  const keys = new Set(bad.map(hash));
  const server = await startServer({ expiresIn: ({ key }) => (keys.has(key) ? 0 : FOREVER) });
  onTestFinished(() => server.close());
  return { server, to: ['--api', server.apiUrl, '--token', 'x', '--commit', 'c'.repeat(40), '--branch', 'main', '--concurrency', '1'] };
}

describe('coldfetch upload, where files fail', () => {
  it('says in the summary what to do, and how many files it is about', async () => {
    const { to } = await target('bad1', 'bad2');
    const folder = await folderOf({ 'a.png': 'bad1', 'b.png': 'bad2', 'c.png': 'c' });
    const { code, stdout, stderr } = await coldfetch(['upload', folder, ...to]);
    expect(code).toBe(1);
    expect(stderr.split('\n').map((line) => line.slice(0, 14))).toEqual(['failed: a.png:', 'failed: b.png:', '']);
    expect(stdout).toMatch(
      /\n2 files failed \(a\.png, b\.png\): check the clock of this machine, .*\nbuild \d was not completed: upload again/,
    );
  });

  it('completes the build without them with --allow-missing, and exits with 3', async () => {
    const { server, to } = await target('bad');
    const { code, stdout } = await coldfetch(['upload', await folderOf({ 'a.png': 'bad', 'b.png': 'b' }), ...to, '--allow-missing']);
    expect([code, stdout]).toEqual([3, expect.stringMatching(/\nbuild 2, without 1 file that failed: http\S+\n$/)]);
    expect(server.builds.at(-1)).toMatchObject({ finalized: true, screenshots: [{ name: 'b.png' }] });
  });

  it.each([
    ['--fail-fast', []],
    ['--max-failures', ['1']],
  ])('stops with %s', async (flag, value) => {
    const { server, to } = await target('bad');
    const { code, stdout } = await coldfetch(['upload', await folderOf({ 'a.png': 'bad', 'b.png': 'b' }), ...to, flag, ...value]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/\nbuild 2 was not completed, as too many files failed: upload again/)]);
    expect(server.requests.some(({ status, route }) => route === 'POST /storage/:key' && status === 204)).toBe(false);
  });

  it('stops at the deadline, also in a long wait', async () => {
    const server = await startServer({ limit: { requests: 1, windowMs: 60_000, routes: 'all', announced: false } });
    onTestFinished(() => server.close());
    const argv = ['--api', server.apiUrl, '--token', 'x', '--commit', 'c'.repeat(40), '--branch', 'main'];
    const clock = handClock();
    const { io, stdout } = worldOf();
    const code = run(['upload', await folderOf({ 'a.png': 'a' }), ...argv, '--deadline', '5s'], io);
    await expect.poll(stdout).toContain('rate-limited by');
    clock.move(5000);
    expect([await code, stdout()]).toEqual([
      1,
      expect.stringContaining('\nbuild 1 was not completed, as the deadline passed: upload again'),
    ]);
  });

  it('takes them from the environment and the config file, too', async () => {
    const { to } = await target('bad');
    const cwd = await folderOf({ 'shots/a.png': 'bad', 'shots/b.png': 'b', 'coldfetch.config.json': '{"allowMissing":true}' });
    expect((await coldfetch(['upload', 'shots', ...to], { cwd })).code).toBe(3);
    expect((await coldfetch(['upload', 'shots', ...to], { cwd, env: { COLDFETCH_ALLOW_MISSING: 'false' } })).code).toBe(1);
  });

  it.each([
    ['--deadline', 'soon', '--deadline is "soon"; give a time above 0, as 90s or 15m'],
    ['--max-failures', '0', '--max-failures is "0"; give a whole number, 1 or more'],
  ])('refuses %s %s', async (flag, value, message) => {
    const { to } = await target();
    expect(await coldfetch(['upload', '.', ...to, flag, value])).toMatchObject({ code: 2, stderr: `coldfetch: ${message}\n` });
  });
});
