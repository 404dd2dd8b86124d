import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningServer, type ServerOptions, startServer } from 'coldfetch/server';
import { Subject } from 'rxjs';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { run } from '../../../src/cli/run.js';
import { seeded } from '../../../src/simulate/seeded.js';
import { folderOf } from '../../support/folderOf.js';
import { coldfetch, worldOf } from '../support.js';

const CONCURRENCY = 5;

async function target(options?: ServerOptions): Promise<{ server: RunningServer; to: string[]; journal: string }> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  const journal = await folderOf();
  const source = ['--commit', 'c'.repeat(40), '--branch', 'main'];
  return {
    server,
    journal,
    to: ['--api', server.apiUrl, '--token', 'x', ...source, '--concurrency', `${CONCURRENCY}`, '--journal', journal],
  };
}

/** Times that each image was stored. */
function stores(server: RunningServer): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { route, status, sha256 = '' } of server.requests) {
    if (route === 'POST /storage/:key' && status === 204) counts.set(sha256, (counts.get(sha256) ?? 0) + 1);
  }
  return counts;
}

describe('coldfetch upload --resume', () => {
  it('goes on with the build of a run that was stopped', async () => {
    const { server, to } = await target();
    const folder = await folderOf({ 'a.png': 'a' });
    const stop$ = new Subject<'SIGINT'>();
    const { io, stdout } = worldOf({ stop$ });
    io.stdout.on('data', () => stdout().includes('1 of 1 uploaded') && stop$.next('SIGINT'));
    expect(await run(['upload', folder, ...to], io)).toBe(130);
    const again = await coldfetch(['upload', folder, ...to, '--resume']);
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringContaining('the upload of an earlier run goes on\nbuild 1: 0 images to send'),
    ]);
    expect([server.builds.length, server.counts.byRoute['POST /storage/:key']]).toEqual([1, 1]);
  });

  it('removes the journal of an upload that is complete: the next one is a build of its own', async () => {
    const { server, to, journal } = await target();
    const folder = await folderOf({ 'a.png': 'a' });
    await coldfetch(['upload', folder, ...to]);
    expect(await readdir(journal)).toEqual([]);
    await coldfetch(['upload', folder, ...to]);
    expect(server.builds).toMatchObject([{ finalized: true }, { finalized: true }]);
  });

  it('refuses a journal that is damaged, and sends nothing', async () => {
    const { server, to, journal } = await target();
    const folder = await folderOf({ 'a.png': 'a' });
    const stop$ = new Subject<'SIGINT'>();
    const { io, stdout } = worldOf({ stop$ });
    io.stdout.on('data', () => stop$.next('SIGINT'));
    expect([await run(['upload', folder, ...to], io), stdout()]).toEqual([
      130,
      expect.stringMatching(/^1 file read\n0 of 1 file uploaded/),
    ]);
    const [name = ''] = await readdir(journal);
    await writeFile(join(journal, name), '{"journal":1}\nx\n');
    const { total } = server.counts;
    expect(await coldfetch(['upload', folder, ...to])).toMatchObject({
      code: 2,
      stderr: `coldfetch: The journal ${join(journal, name)} is damaged in line 2; remove it to start anew\n`,
    });
    expect(server.counts.total).toBe(total);
  });

  it('makes one build of 500 files and loses none, killed at any ten moments', async () => {
    const { server, to } = await target();
    const files = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${index}.png`, `image ${index}`.repeat(500)]));
    const folder = await folderOf(files);
    const random = seeded(7);
    const twice = (): number => [...stores(server).values()].reduce((sum, count) => sum + count - 1, 0);
    const sentAgain: number[] = [];
    for (let kill = 1; kill <= 10; kill++) {
      const before = twice();
      // The moment is a number of requests that the server has seen: some of each step, whatever the machine does meanwhile.
      const moment = server.counts.total + 1 + Math.floor(random() * 75);
      const child = spawn(process.execPath, [inject('command'), 'upload', folder, ...to], { stdio: 'ignore' });
      onTestFinished(() => void child.kill('SIGKILL'));
      const gone = new Promise((resolve) => child.on('exit', resolve));
      await Promise.race([expect.poll(() => server.counts.total, { interval: 1 }).toBeGreaterThanOrEqual(moment), gone]);
      child.kill('SIGKILL');
      await gone;
      sentAgain.push(twice() - before);
    }
    const { code } = await coldfetch(['upload', folder, ...to]);
    expect([code, server.builds.length, server.builds[0]?.finalized]).toEqual([0, 1, true]);
    expect(server.builds[0]?.screenshots.map(({ name, key }) => [name, key]).sort()).toEqual(
      Object.entries(files)
        .map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')])
        .sort(),
    );
    sentAgain.push(twice() - sentAgain.reduce((sum, count) => sum + count, 0));
    // Files that were being sent when the process was killed.
    expect(Math.max(...sentAgain)).toBeLessThanOrEqual(CONCURRENCY);
  });
});
