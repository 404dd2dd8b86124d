import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer } from 'coldfetch/server';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { folderOf } from '../../support/folderOf.js';
import { registryProject } from '../../support/registryProject.js';
import { keyOf } from '../../server/support.js';

const SHARDS = 8;
const FILES = 100;
/** The empty shard, the one that is killed and run again, and that of the other client. */
const [EMPTY, KILLED, OTHER] = [3, 5, 8];
/** Images of the other client's shard: it converts them. */
const IMAGES = join(import.meta.dirname, '../../fixtures/screenshots/phone');
const TOKEN = 't'.repeat(40);
/** Variables of either client. */
const ENV = {
  ARGOS_COMMIT: 'c'.repeat(40),
  ARGOS_BRANCH: 'main',
  ARGOS_TOKEN: TOKEN,
  ARGOS_PARALLEL_NONCE: 'run-1',
  ARGOS_PARALLEL_TOTAL: `${SHARDS}`,
};

/** Runs the other client, for its shard; gives whether it ended well. */
async function otherClient(): Promise<(api: string) => Promise<boolean>> {
  const project = await registryProject();
  onTestFinished(() => project.remove());
  expect(await project.install('@argos-ci/core@6.8.5')).toMatchObject({ ok: true });
  await project.write({
    'upload.mjs': `
import { upload } from '@argos-ci/core';
await upload({ root: process.argv[2], parallel: { nonce: 'run-1', total: ${SHARDS}, index: ${OTHER} } });
`,
  });
  return async (api) => {
    const { ok } = await project.run(process.execPath, ['upload.mjs', IMAGES], { ...ENV, ARGOS_API_BASE_URL: api, CI: '' });
    return ok;
  };
}

describe('eight processes that upload shards', () => {
  it('make one build, with every name once, and lose nothing, under one limit, with another client among them', async () => {
    const uploadOther = await otherClient();
    // The limit of the real service, a sixtieth of its time; files meet it, too.
    const server = await startServer({
      token: TOKEN,
      limit: { requests: 500, windowMs: 5_000, routes: 'all' },
      // One file of the shard that is killed is refused for so long that the shard cannot end before.
      flaky: { routes: `POST /storage/${keyOf(`bytes of shard-${KILLED}/0.png`)}`, failures: 1, retryAfter: 60 },
    });
    onTestFinished(() => server.close());
    const folder = await folderOf();
    const names: string[] = [];
    for (let shard = 1; shard <= SHARDS; shard++) {
      const files = Array.from({ length: shard === EMPTY || shard === OTHER ? 0 : FILES }, (_, index) => `shard-${shard}/${index}.png`);
      names.push(...files);
    }
    const dirs = await Promise.all(
      Array.from({ length: SHARDS }, (_, index) =>
        folderOf(
          Object.fromEntries(names.filter((name) => name.startsWith(`shard-${index + 1}/`)).map((name) => [name, `bytes of ${name}`])),
        ),
      ),
    );
    const env = { ...process.env, ...ENV, ARGOS_API_BASE_URL: server.apiUrl };
    const start = (shard: number) => {
      const child = spawn(process.execPath, [inject('command'), 'upload', dirs[shard - 1] ?? '', '--journal', folder], {
        stdio: 'ignore',
        env: { ...env, ARGOS_PARALLEL_INDEX: String(shard) },
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      return { child, exit: new Promise<number | null>((resolve) => child.on('exit', resolve)) };
    };

    const shards = Array.from({ length: SHARDS - 1 }, (_, index) => start(index + 1));
    const other = uploadOther(server.apiUrl);
    const stored = (): number => server.requests.filter(({ route, status }) => route === 'POST /storage/:key' && status === 204).length;
    await expect.poll(stored).toBeGreaterThan(100);
    await expect.poll(() => server.counts.byStatus[503]).toBe(1);
    shards[KILLED - 1]?.child.kill('SIGKILL');
    const exits = await Promise.all(shards.map(({ exit }) => exit));
    expect(exits).toEqual(shards.map((_, index) => (index + 1 === KILLED ? null : 0)));
    // A limit may be more than it bears: then the job is run again.
    let hasUploaded = await other;
    for (let run = 2; !hasUploaded && run <= 5; run++) hasUploaded = await uploadOther(server.apiUrl);
    expect(hasUploaded).toBe(true);
    expect(server.builds).toMatchObject([{ finalized: false }]);
    expect(await start(KILLED).exit).toBe(0);

    expect(server.builds).toMatchObject([{ finalized: true, parallelTotal: SHARDS }]);
    expect(server.builds[0]?.screenshots.map(({ name }) => name).sort()).toEqual([...names, ...(await readdir(IMAGES))].sort());
    expect(server.builds[0]?.shards.filter(({ complete }) => complete)).toHaveLength(SHARDS);
    const indexes = server.builds[0]?.shards.map(({ index }) => index).sort();
    expect(indexes).toEqual(Array.from({ length: SHARDS }, (_, index) => index + 1));
  });
});
