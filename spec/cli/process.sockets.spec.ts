import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { chmod, open, readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type ServerOptions, startServer } from 'coldfetch/server';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { folderOf } from '../node/support.js';
import { needsFullDevice } from '../support/needs.js';

// Signals, exit codes and pipes are the process's own: nothing in this process can stand in for them.
function start(argv: readonly string[], options: SpawnOptions = {}) {
  const child: ChildProcess = spawn(process.execPath, [inject('command'), ...argv], { stdio: 'pipe', ...options });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, exit, stdout: () => stdout, stderr: () => stderr };
}

async function target(options?: ServerOptions) {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return { server, to: ['--api', server.apiUrl, '--token', 'secret', '--commit', 'c'.repeat(40), '--branch', 'main'] };
}

describe('the process of coldfetch', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends a long wait on %s, with its summary, and its reports whole', async (signal, code) => {
    const { server, to } = await target({ limit: { requests: 1, windowMs: 1_800_000, routes: 'all', announced: false } });
    const folder = await folderOf({ 'a.png': 'x' });
    const reports = [
      '--report',
      join(folder, 'r.html'),
      '--log',
      join(folder, 'l.jsonl'),
      '--annotations',
      `junit=${join(folder, 'j.xml')}`,
    ];
    const { child, exit, stdout } = start(['upload', folder, ...to, ...reports]);
    await expect.poll(stdout).toContain('rate-limited by 127.0.0.1');
    child.kill(signal);
    expect(await exit).toBe(code);
    expect(stdout()).toMatch(/\n0 of 1 file uploaded [^\n]+\n[^\n]+\nbuild 1 was not completed, as it was stopped: upload again[^\n]+\n$/);
    expect(server.builds).toMatchObject([{ finalized: false }]);
    const [page = '', log = '', junit = ''] = await Promise.all(
      ['r.html', 'l.jsonl', 'j.xml'].map((name) => readFile(join(folder, name), 'utf8')),
    );
    expect([page, junit]).toEqual([expect.stringMatching(/<\/html>\s*$/), expect.stringMatching(/<\/testsuites>\s*$/)]);
    expect(
      log
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type)
        .slice(-2),
    ).toEqual(['summary', 'end']);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends by force at a second %s, and leaves no half of a report', async (signal) => {
    // A Redis that never replies, so that the command cannot end as it should.
    const redis = createServer((socket) => void socket.on('error', () => undefined));
    await new Promise<void>((listening) => redis.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void redis.close());
    const connected = once(redis, 'connection');
    const { to } = await target();
    const folder = await folderOf({ 'a.png': 'x', 'r.html': 'that of an earlier run' });
    const { child } = start(['upload', folder, ...to, '--redis', '--report', join(folder, 'r.html')], {
      env: { ...process.env, COLDFETCH_REDIS: `redis://127.0.0.1:${(redis.address() as AddressInfo).port}` },
    });
    await connected;
    const exit = once(child, 'exit');
    let signals = 0;
    // Two signals that come as one are heard once.
    const pressing = setInterval(() => signals++ < 100 && child.kill(signal), 100);
    onTestFinished(() => clearInterval(pressing));
    expect(await exit).toEqual([null, signal]);
    expect(signals).toBeGreaterThan(1);
    expect(await readdir(folder)).toEqual(['a.png']);
  });

  it('goes on when whoever reads its output leaves', async () => {
    const { server, to } = await target();
    const { child, exit, stderr } = start(['upload', await folderOf({ 'a.png': 'x', 'b.png': 'y' }), ...to]);
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect([await exit, stderr(), server.builds[0]?.finalized]).toEqual([0, '', true]);
  });

  it('exits with 2 and one line for wrong usage', async () => {
    const { exit, stdout, stderr } = start(['upload', '/nowhere', '--embedded']);
    expect([await exit, stdout(), stderr()]).toEqual([2, '', 'coldfetch: The folder /nowhere does not exist\n']);
  });

  it('names a file that it may not read', async () => {
    const folder = await folderOf({ 'a.png': 'x' });
    const path = join(folder, 'a.png');
    await chmod(folder, 0o755);
    await chmod(path, 0o000);
    // Permissions do not hold for root, so root becomes nobody.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { exit, stderr } = start(['upload', folder, '--embedded'], user);
    expect([await exit, stderr()]).toEqual([2, `coldfetch: ${path} cannot be read: this user has no permission (nothing was sent)\n`]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('serves until %s, and leaves no folder behind', async (signal, code) => {
    const { child, exit, stdout } = start(['serve']);
    await expect.poll(stdout).toMatch(/^build API: http:\/\/127\.0\.0\.1:\d+\/v2\/\nfiles: .+\n/);
    const [, folder = ''] = /^files: (.+)$/m.exec(stdout()) ?? [];
    expect(existsSync(folder)).toBe(true);
    child.kill(signal);
    expect([await exit, existsSync(folder)]).toEqual([code, false]);
  });
});

needsFullDevice('the process of coldfetch on a full disk', () => {
  it('exits with 1 and one line where its output cannot be written', async () => {
    const full = await open('/dev/full', 'w');
    onTestFinished(() => full.close());
    const { exit, stderr } = start(['--version'], { stdio: ['ignore', full.fd, 'pipe'] });
    expect([await exit, stderr()]).toEqual([1, 'coldfetch: The output cannot be written: ENOSPC: no space left on device, write\n']);
  });
});
