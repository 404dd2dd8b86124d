import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningServer, type ServerOptions, startServer } from 'coldfetch/server';
import { Subject } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../../src/cli/run.js';
import { folderOf } from '../../node/support.js';
import { coldfetch, worldOf } from '../support.js';

async function serverWith(options?: ServerOptions): Promise<{ server: RunningServer; to: string[] }> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return { server, to: ['--api', server.apiUrl, '--token', 'secret', '--commit', 'c'.repeat(40), '--branch', 'main'] };
}

describe('coldfetch upload', () => {
  it('uploads a folder and says how it went', async () => {
    const { server, to } = await serverWith();
    const { code, stdout, stderr } = await coldfetch(['upload', await folderOf({ 'a.png': 1000, 'b.png': 500 }), ...to]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      '2 files read',
      'build 1: 2 images to send (1.5 KB)',
      expect.stringMatching(/^1 of 2 uploaded: [ab]\.png$/),
      expect.stringMatching(/^2 of 2 uploaded: [ab]\.png$/),
      expect.stringMatching(/^2 of 2 files uploaded \(1\.5 KB\) in [\d.]+ m?s$/),
      '4 requests sent, 0 answered 429, 0 s waited',
      `build 1: ${server.url}/builds/1`,
      '',
    ]);
    expect(server.builds).toMatchObject([{ commit: 'c'.repeat(40), branch: 'main', finalized: true }]);
  });

  it('takes the token, commit and branch from the environment', async () => {
    const { server, to } = await serverWith({ token: 'from-env' });
    const env = {
      ...{ COLDFETCH_TOKEN: 'from-env', GITHUB_ACTIONS: 'true', GITHUB_SHA: 'a'.repeat(40) },
      ...{ GITHUB_HEAD_REF: 'feature', GITHUB_REF: 'refs/pull/12/merge' },
    };
    const { code } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), ...to.slice(0, 2)], { env });
    expect(code).toBe(0);
    expect(server.builds).toMatchObject([{ commit: 'a'.repeat(40), branch: 'feature' }]);
  });

  it('names each file that did not arrive, and exits with 1', async () => {
    const bad = createHash('sha256').update('bad').digest('hex');
    const { to } = await serverWith({ flaky: { routes: `POST /storage/${bad}`, failures: 99 }, expiresIn: 1_800_000 });
    const { code, stdout, stderr } = await coldfetch(['upload', await folderOf({ 'a.png': 'good', 'b.png': 'bad' }), ...to]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^failed: b\.png: POST \S+: 503 Service Unavailable: ServiceUnavailable: [^\n]+ \(4 attempts\)\n$/);
    expect(stdout).toContain('1 of 2 files uploaded');
    expect(stdout).toContain('build 1 was not completed: upload again, what has arrived is not sent twice');
  });

  it('says in one line that the build could not be created, and exits with 1', async () => {
    const { to } = await serverWith({ flaky: 'POST /v2/builds' });
    const { code, stderr } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), ...to]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^coldfetch: No build was created: [^\n]*; a build may exist all the same: look before you upload again\n$/);
  });

  it('says that it is rate-limited once for each wait, not for each file', async () => {
    const first = createHash('sha256').update('image 0').digest('hex');
    const { to } = await serverWith({ flaky: { routes: `POST /storage/${first}`, failures: 1, status: 429, retryAfter: 1 } });
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`${index}.png`, `image ${index}`]));
    const { code, stdout } = await coldfetch(['upload', await folderOf(files), ...to]);
    const notices = stdout.split('\n').filter((line) => line.startsWith('rate-limited by 127.0.0.1: next try in '));
    expect(code).toBe(0);
    expect(notices).toEqual(['rate-limited by 127.0.0.1: next try in 1 s, 0 of 8 uploaded']);
  });

  it('prints events as lines of JSON', async () => {
    const { to } = await serverWith();
    const { code, stdout } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), ...to, '--json']);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(code).toBe(0);
    expect(events.map(({ type }) => type).filter((type) => type !== 'progress')).toEqual([
      ...['hashed', 'created', 'done', 'completed', 'summary'],
    ]);
    expect(events.at(-1)).toMatchObject({ completed: true, files: 1, bytes: 1, requests: 3, throttled: 0, waited: 0 });
  });

  it('prints failures only with --quiet', async () => {
    const bad = createHash('sha256').update('bad').digest('hex');
    const { to } = await serverWith({ flaky: { routes: `POST /storage/${bad}`, failures: 9, status: 501 } });
    expect(await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), ...to, '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
    const { code, stdout, stderr } = await coldfetch(['upload', await folderOf({ 'b.png': 'bad' }), ...to, '--quiet']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^failed: b\.png: [^\n]+\nbuild 2 was not completed: [^\n]+\n$/);
  });

  it('prints each event in detail with --verbose', async () => {
    const { to } = await serverWith({ flaky: { routes: 'POST /storage/*', failures: 1, retryAfter: 0 } });
    const { code, stdout } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), ...to, '--verbose'], { isTTY: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^read a\.png: 1 B, SHA-256 [\da-f]{12}, 1 of 1$/m);
    expect(stdout).toMatch(/^wait: upload a\.png: attempt 1 at 127\.0\.0\.1: [\d.]+ m?s \(transient, \w+\), status 503$/m);
    expect(stdout).toMatch(/^arrived a\.png: 1 B, sent, 2 attempts$/m);
    expect(stdout).toContain('build completed by 1 request\n');
  });

  it.each([
    ['GitHub', { GITHUB_ACTIONS: 'true' }, /\n::group::Upload of 2 images\n(\d of 2 uploaded: .\.png\n){2}::endgroup::\n2 of 2 files/],
    ['Azure', { TF_BUILD: 'True' }, /\n##\[group\]Upload of 2 images\n.*\n##\[endgroup\]\n2 of 2 files/s],
    ['GitLab', { GITLAB_CI: '1' }, /\x1b\[0Ksection_start:\d+:\w+\[collapsed=true\]\r\x1b\[0KUpload of 2 images\n.*section_end:/s],
    ['Buildkite', { BUILDKITE: 'true' }, /\n--- Upload of 2 images\n.*\n\+\+\+ Result\n2 of 2 files/s],
  ])('folds the lines of files into a group of %s', async (_service, env, log) => {
    const { to } = await serverWith();
    const { stdout } = await coldfetch(['upload', await folderOf({ 'a.png': 'x', 'b.png': 'y' }), ...to], { env });
    expect(stdout).toMatch(log);
  });

  it('names files that failed after their group has ended', async () => {
    const { to } = await serverWith({ flaky: { routes: 'POST /storage/*', failures: 9, status: 501 } });
    const { io } = worldOf({ env: { GITHUB_ACTIONS: 'true' } });
    const both = io.stdout;
    let text = '';
    both.on('data', (chunk: string) => (text += chunk));
    expect(await run(['upload', await folderOf({ 'a.png': 'x' }), ...to], { ...io, stderr: both })).toBe(1);
    expect(text).toMatch(/::endgroup::\nfailed: a\.png: /);
  });

  it('reports to files and to a CI service, beside the usual output', async () => {
    const { server, to } = await serverWith({ flaky: { routes: 'PUT /v2/builds/*', failures: 9, status: 501 } });
    const cwd = await folderOf({ 'a.png': 'x' });
    const reports = [
      '--annotations',
      'github',
      '--annotations',
      'junit',
      '--annotations',
      'junit=out/b.xml',
      '--summary',
      's.md',
      '--log',
      'l',
    ];
    const { code, stdout, stderr } = await coldfetch(['upload', cwd, ...to, ...reports], { cwd });
    const [first, second, summary, log] = await Promise.all(
      ['coldfetch-junit.xml', 'out/b.xml', 's.md', 'l'].map((name) => readFile(join(cwd, name), 'utf8')),
    );
    expect([code, server.builds[0]?.finalized, stdout]).toEqual([1, false, expect.stringContaining('1 of 1 uploaded: a.png')]);
    expect(stderr).toMatch(/^::error title=Upload failed::The files are sent, but [^\n]+\ncoldfetch: The files are sent, but [^\n]+\n$/);
    expect([first, second === first]).toEqual([expect.stringContaining('<error message="The files are sent'), true]);
    expect(summary).toContain('The files are sent');
    expect(JSON.parse(log?.trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'end',
      failure: expect.stringMatching(/^The files are sent/),
    });
  });

  it('reports an upload that was stopped', async () => {
    const { to } = await serverWith({ limit: { requests: 1, windowMs: 60_000, routes: 'all', announced: false } });
    const stop$ = new Subject<'SIGTERM'>();
    const cwd = await folderOf({ 'a.png': 'x' });
    const { io, stdout } = worldOf({ stop$, cwd });
    const running = run(['upload', cwd, ...to, '--summary', 's.md'], io);
    await expect.poll(stdout).toContain('rate-limited');
    stop$.next('SIGTERM');
    expect(await running).toBe(143);
    expect(stdout()).toMatch(
      /\n0 of 1 file uploaded [^\n]+\n[^\n]+\nbuild 1 was not completed, as it was stopped: upload again, what has arrived is not sent twice\n$/,
    );
    expect(await readFile(join(cwd, 's.md'), 'utf8')).toMatch(
      /^## 0 of 1 screenshot uploaded\n[^]*was not completed, as it was stopped: upload again/,
    );
  });

  it.each([
    ['quiet and verbose', ['--quiet', '--verbose'], "option '--quiet' cannot be used with option '--verbose'"],
    ['annotations of a kind that is none', ['--annotations', 'gitlab'], 'Allowed choices are github, junit, junit=FILE'],
    ['a log that cannot be written', ['--log', '/dev/null/x'], '--log: cannot write /dev/null/x'],
  ])('refuses %s before anything is sent', async (_case, argv, message) => {
    const { server, to } = await serverWith();
    const { code, stderr } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), ...to, ...argv]);
    expect([code, stderr, server.counts.total]).toEqual([2, expect.stringContaining(message), 0]);
  });

  it('never shows the token', async () => {
    const { to } = await serverWith({ flaky: 'POST /storage/*' });
    const { stdout, stderr } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), ...to, '--json']);
    expect(stdout + stderr).toContain('"type":"wait"');
    expect(stdout + stderr).not.toContain('secret');
  });

  it('draws a bar on a terminal, and ends it with the summary', async () => {
    const { to } = await serverWith();
    const { stdout } = await coldfetch(['upload', await folderOf({ 'a.png': 1000 }), ...to], { isTTY: true });
    expect(stdout).toContain('100 % | 1.0 KB of 1.0 KB | 1 of 1 uploaded');
    // Cursor shown and wrapping on again, then the lines that stay.
    expect(stdout).toMatch(/\x1b\[\?25h.*\x1b\[\?7h.*1 of 1 file uploaded \(1\.0 KB\)/s);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stops at once on %s, also in a long wait', async (signal, code) => {
    const { server, to } = await serverWith({ limit: { requests: 1, windowMs: 60_000, routes: 'all', announced: false } });
    const stop$ = new Subject<'SIGINT' | 'SIGTERM'>();
    const { io, stdout } = worldOf({ stop$ });
    const running = run(['upload', await folderOf({ 'a.png': 'x' }), ...to], io);
    await expect.poll(stdout).toContain('rate-limited by 127.0.0.1: next try in');
    stop$.next(signal);
    expect([await running, server.builds[0]?.finalized, stop$.observed]).toEqual([code, false, false]);
  });
});

describe('coldfetch upload --embedded', () => {
  it('needs a folder only, meets its limit, and loses nothing', async () => {
    const files = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`${index}.png`, 100]));
    const { code, stdout } = await coldfetch(['upload', await folderOf(files), '--embedded']);
    expect(code).toBe(0);
    expect(stdout).toContain('rate-limited by 127.0.0.1: next try in');
    expect(stdout).toMatch(/^14 of 14 files uploaded .*\n\d+ requests sent, [1-9]\d* answered 429, \d.* s waited$/m);
  });
});
