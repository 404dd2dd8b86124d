import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildClient, isUploadError, screenshots, uploadBuild, type UploadBuildOptions } from 'coldfetch/node';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../support/errorOf.js';
import { folderOf } from '../support/folderOf.js';
import { buildApi, only, SOURCE, upload } from './support.js';

const ONCE = { retry: { rules: {} } };

/** An upload whose first run arrives and is not completed. */
async function interrupted(more: Partial<UploadBuildOptions> = {}) {
  const journal = join(await folderOf(), 'journal.jsonl');
  const { server, http } = await buildApi({ flaky: { routes: 'PUT /v2/builds/*', failures: 1, status: 500 } });
  const folder = await folderOf({ 'a.png': 'a', 'b.png': 'b' });
  const options = { ...ONCE, ...more, journal };
  const error = await errorOf(uploadBuild(http, screenshots(folder), { ...SOURCE, ...options }));
  expect(isUploadError(error) && error.step).toBe('complete');
  return { server, http, folder, options };
}

describe('uploadBuild with a journal', () => {
  it('goes on with the same build, and removes the journal when that is complete', async () => {
    const { server, http, folder, options } = await interrupted();
    const events = await upload(http, folder, options);
    expect(only(events, 'created')).toMatchObject([{ reason: 'resumed', missing: 0, build: { id: '1' } }]);
    expect(server.builds).toMatchObject([{ finalized: true, screenshots: [{ name: 'a.png' }, { name: 'b.png' }] }]);
    expect([server.counts.byRoute['POST /storage/:key'], existsSync(options.journal)]).toEqual([2, false]);
    expect(only(events, 'summary')).toMatchObject([{ completed: true, kept: 2, sentBytes: 0 }]);
  });

  it('does not read again what is as it was', async () => {
    const { http, folder, options } = await interrupted();
    const events = await upload(http, folder, options);
    expect(only(events, 'hashed').map(({ took }) => took)).toEqual([0, 0]);
  });

  it.each<[string, Partial<UploadBuildOptions>]>([
    ['commit', { commit: 'd'.repeat(40) }],
    ['branch', { branch: 'dev' }],
    ['build name', { name: 'web' }],
    ['mode', { mode: 'monitoring' }],
  ])('starts anew for another %s', async (_case, change) => {
    const { server, http, folder, options } = await interrupted();
    const events = await upload(http, folder, { ...options, retry: undefined, ...change });
    expect(only(events, 'created')).toMatchObject([{ reason: 'new', build: { id: '2' } }]);
    expect(server.builds).toMatchObject([{ finalized: false }, { finalized: true }]);
  });

  it('starts anew for a file that has changed', async () => {
    const { http, folder, options } = await interrupted();
    await writeFile(join(folder, 'a.png'), 'changed');
    const events = await upload(http, folder, { ...options, retry: undefined });
    expect(only(events, 'created')).toMatchObject([{ reason: 'new', missing: 1, build: { id: '2' } }]);
  });

  it('goes on with a shard', async () => {
    const { server, http, folder, options } = await interrupted({ parallel: { nonce: 'run-1', total: 1, index: 1 } });
    await upload(http, folder, options);
    expect(server.builds).toMatchObject([{ parallelNonce: 'run-1', finalized: true }]);
  });

  it('is one shard in both runs, where the shards have no numbers', async () => {
    const { server, http, folder, options } = await interrupted({ parallel: { nonce: 'run-1', total: 2 } });
    await upload(http, folder, options);
    const ids = server.requests.filter(({ method }) => method === 'PUT').map(({ headers }) => headers['x-argos-request-id']);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    expect(server.builds).toMatchObject([{ finalized: false, shards: [{ index: null }] }]);
  });

  it('renews permits that expired meanwhile, for the same build', async () => {
    const { server, http } = await buildApi({ expiresIn: ({ count }) => (count === 0 ? 0 : 1_800_000) });
    const journal = join(await folderOf(), 'journal.jsonl');
    const events = await upload(http, await folderOf({ 'a.png': 'a' }), { journal });
    expect(only(events, 'created').map(({ reason, build }) => [reason, build.id])).toEqual([
      ['new', '1'],
      ['expired', '1'],
    ]);
    expect(server.builds).toMatchObject([{ finalized: true }]);
  });

  it('is complete where only the answer that said so was lost', async () => {
    const { server, http } = await buildApi();
    const folder = await folderOf({ 'a.png': 'a' });
    const journal = join(await folderOf(), 'journal.jsonl');
    const losing = buildClient({
      token: 'secret',
      baseUrl: server.apiUrl,
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        if (init.method === 'PUT') throw new TypeError('lost');
        return answer;
      },
    });
    const error = await errorOf(uploadBuild(losing, screenshots(folder), { ...SOURCE, ...ONCE, journal }));
    expect([isUploadError(error) && error.step, server.builds[0]?.finalized]).toEqual(['complete', true]);
    const events = await upload(http, folder, { journal });
    expect(only(events, 'summary')).toMatchObject([{ completed: true, build: { id: '1' } }]);
    expect([server.builds.length, server.counts.byRoute['POST /storage/:key']]).toEqual([1, 1]);
  });
});
