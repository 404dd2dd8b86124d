import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startServer } from 'coldfetch/server';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { folderOf } from '../../support/folderOf.js';
import { keyOf } from '../../server/support.js';

const SHARDS = 8;
const FILES = 100;
/** The empty shard, and the one that is killed and run again. */
const [EMPTY, KILLED] = [3, 5];

describe('eight processes that upload shards', () => {
  it('make one build, with every name once, and lose nothing, under one limit', { timeout: 240_000 }, async () => {
    // The limit of the real service, a sixtieth of its time; files meet it, too.
    const server = await startServer({
      limit: { requests: 500, windowMs: 5_000, routes: 'all' },
      // One file of the shard that is killed is refused for so long that the shard cannot end before.
      flaky: { routes: `POST /storage/${keyOf(`bytes of shard-${KILLED}/0.png`)}`, failures: 1, retryAfter: 60 },
    });
    onTestFinished(() => server.close());
    const folder = await folderOf();
    const names: string[] = [];
    for (let shard = 1; shard <= SHARDS; shard++) {
      const files = Array.from({ length: shard === EMPTY ? 0 : FILES }, (_, index) => `shard-${shard}/${index}.png`);
      names.push(...files);
    }
    const dirs = await Promise.all(
      Array.from({ length: SHARDS }, (_, index) =>
        folderOf(
          Object.fromEntries(names.filter((name) => name.startsWith(`shard-${index + 1}/`)).map((name) => [name, `bytes of ${name}`])),
        ),
      ),
    );
    const env = { ...process.env, GITLAB_CI: '1', CI_PIPELINE_ID: '77', CI_NODE_TOTAL: String(SHARDS), COLDFETCH_TOKEN: 'x' };
    const argv = ['--api', server.apiUrl, '--commit', 'c'.repeat(40), '--branch', 'main', '--journal', join(folder, 'journal')];
    const start = (shard: number) => {
      const child = spawn(process.execPath, [inject('command'), 'upload', dirs[shard - 1] ?? '', ...argv], {
        stdio: 'ignore',
        env: { ...env, CI_NODE_INDEX: String(shard) },
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      return { child, exit: new Promise<number | null>((resolve) => child.on('exit', resolve)) };
    };

    const shards = Array.from({ length: SHARDS }, (_, index) => start(index + 1));
    const stored = (): number => server.requests.filter(({ route, status }) => route === 'POST /storage/:key' && status === 204).length;
    await expect.poll(stored).toBeGreaterThan(100);
    await expect.poll(() => server.counts.byStatus[503]).toBe(1);
    shards[KILLED - 1]?.child.kill('SIGKILL');
    const exits = await Promise.all(shards.map(({ exit }) => exit));
    expect(exits).toEqual(Array.from({ length: SHARDS }, (_, index) => (index + 1 === KILLED ? null : 0)));
    expect(server.builds).toMatchObject([{ finalized: false }]);
    expect(await start(KILLED).exit).toBe(0);

    expect(server.builds).toMatchObject([{ finalized: true, parallelTotal: SHARDS }]);
    expect(server.builds[0]?.screenshots.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(server.builds[0]?.shards.filter(({ complete }) => complete)).toHaveLength(SHARDS);
    const indexes = server.builds[0]?.shards.map(({ index }) => index).sort();
    expect(indexes).toEqual(Array.from({ length: SHARDS }, (_, index) => index + 1));
  });
});
