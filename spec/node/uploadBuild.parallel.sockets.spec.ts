import { isUsageError, policies } from 'coldfetch';
import { buildClient, finalizeBuilds, isUploadError, type ParallelOptions, screenshots, skipBuild, uploadBuild } from 'coldfetch/node';
import { from, lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../support/errorOf.js';
import { all, buildApi, folderOf, only, SOURCE, upload } from './support.js';

const shard = (index: number, total = 2): { readonly parallel: ParallelOptions } => ({ parallel: { nonce: 'run-1', total, index } });
const namesOf = (builds: readonly { readonly screenshots: readonly { readonly name: string }[] }[]) =>
  builds.map(({ screenshots: list }) => list.map(({ name }) => name));

describe('uploadBuild, shard by shard', () => {
  it('makes one build, which the last shard completes', async () => {
    const { server, http } = await buildApi();
    await upload(http, await folderOf({ 'a.png': 'a' }), shard(1));
    expect(server.builds).toMatchObject([{ finalized: false, parallelNonce: 'run-1' }]);
    await upload(http, await folderOf({ 'b.png': 'b' }), shard(2));
    expect(server.builds).toMatchObject([{ finalized: true, parallelTotal: 2, shards: [{ index: 1 }, { index: 2 }] }]);
    expect(namesOf(server.builds)).toEqual([['a.png', 'b.png']]);
  });

  it('counts a shard without files', async () => {
    const { server, http } = await buildApi();
    const events = await all(uploadBuild(http, from([]), { ...SOURCE, ...shard(1) }));
    await upload(http, await folderOf({ 'b.png': 'b' }), shard(2));
    expect([only(events, 'summary')[0]?.completed, server.builds[0]?.finalized]).toEqual([true, true]);
    expect(namesOf(server.builds)).toEqual([['b.png']]);
  });

  it('takes a shard that runs twice as one', async () => {
    const { server, http } = await buildApi();
    const folder = await folderOf({ 'a.png': 'a' });
    await upload(http, folder, shard(1));
    const again = await upload(http, folder, shard(1));
    expect(only(again, 'done')).toMatchObject([{ how: 'kept' }]);
    expect(server.builds).toMatchObject([{ finalized: false, shards: [{ index: 1 }] }]);
    expect(server.counts.byRoute['POST /storage/:key']).toBe(1);
  });

  it('finds that a shard which runs again after the build was finalised has brought nothing new', async () => {
    const { server, http } = await buildApi();
    const folder = await folderOf({ 'a.png': 'a' });
    await upload(http, folder, shard(1));
    await upload(http, await folderOf({ 'b.png': 'b' }), shard(2));
    const again = await upload(http, folder, shard(1));
    expect(only(again, 'summary')).toMatchObject([{ completed: true, build: { id: '1' } }]);
    expect(server.builds).toHaveLength(1);
  });

  it('fails for a shard that brings other files to a build that is finalised', async () => {
    const { http } = await buildApi();
    await upload(http, await folderOf({ 'a.png': 'a' }), shard(1, 1));
    const error = await errorOf(uploadBuild(http, screenshots(await folderOf({ 'b.png': 'b' })), { ...SOURCE, ...shard(1, 1) }));
    expect(isUploadError(error) && [error.step, error.message]).toEqual([
      'complete',
      expect.stringMatching(
        /409 Conflict: Build is already finalized; it was finalised without these files: give the shards of each run a/,
      ),
    ]);
  });

  it('fails for a nonce whose finalised build is of another commit', async () => {
    const { http } = await buildApi();
    await upload(http, await folderOf({ 'a.png': 'a' }), shard(1, 1));
    const error = await errorOf(uploadBuild(http, from([]), { ...SOURCE, commit: 'd'.repeat(40), ...shard(1, 1) }));
    expect(isUploadError(error) && [error.step, error.message]).toEqual([
      'create',
      expect.stringMatching(
        /^The build of the nonce "run-1" is finalised, and takes no more files: .*; give the shards of each run a nonce/,
      ),
    ]);
  });

  it('waits for the nonce to be finalised where the total is -1', async () => {
    const { server, http } = await buildApi();
    await upload(http, await folderOf({ 'a.png': 'a' }), { parallel: { nonce: 'run-1', total: -1 } });
    await upload(http, await folderOf({ 'b.png': 'b' }), { parallel: { nonce: 'run-1', total: -1 } });
    expect(server.builds).toMatchObject([{ finalized: false }]);
    expect(await lastValueFrom(finalizeBuilds(http, { nonce: 'run-1' }))).toEqual({
      type: 'finalized',
      builds: [{ id: '1', url: `${server.url}/builds/1` }],
    });
    expect(server.builds).toMatchObject([{ finalized: true }]);
    expect(await lastValueFrom(finalizeBuilds(http, { nonce: 'run-1' }))).toMatchObject({ builds: [{ id: '1' }] });
  });

  it('asks again after a 503: the nonce leads to the same build', async () => {
    const { server, http } = await buildApi({ flaky: { routes: 'POST /v2/builds', failures: 1 } });
    await upload(http, await folderOf({ 'a.png': 'a' }), { ...shard(1, 1), retry: { ...policies.upload } });
    expect(server.builds).toMatchObject([{ finalized: true }]);
  });

  it('goes on with the same build when permits have expired', async () => {
    const { server, http } = await buildApi({ expiresIn: ({ count }) => (count === 0 ? 0 : 1_800_000) });
    await upload(http, await folderOf({ 'a.png': 'a' }), shard(1, 1));
    expect(server.builds).toMatchObject([{ finalized: true, screenshots: [{ name: 'a.png' }] }]);
  });

  it('tells its names in several requests under one index', async () => {
    const { server, http } = await buildApi();
    const [file] = await all(screenshots(await folderOf({ 'a.png': 'a' })));
    const files = Array.from({ length: 3_000 }, (_, index) => ({
      path: '',
      contentType: '',
      ...file,
      name: `${index}${'n'.repeat(1_000)}`,
    }));
    await all(uploadBuild(http, files, { ...SOURCE, ...shard(1) }));
    expect(server.builds).toMatchObject([{ finalized: false, shards: [{ index: 1, complete: true }] }]);
    expect([server.builds[0]?.screenshots.length, server.counts.byRoute['PUT /v2/builds/:id']]).toEqual([3_000, 2]);
    const unnumbered = uploadBuild(http, files, { ...SOURCE, parallel: { nonce: 'run-2', total: 2 } });
    expect(String(await errorOf(unnumbered))).toContain('take several requests, which only a numbered shard may send; give parallel.index');
  });

  it.each<[string, unknown]>([
    ["parallel is 'run'", 'run'],
    ["parallel.nonce is ''", { nonce: '', total: 1 }],
    ['parallel.total is 0', { nonce: 'n', total: 0 }],
    ['parallel.total is undefined', { nonce: 'n' }],
    ['parallel.index is 3; give a whole number from 1 to 2', { nonce: 'n', total: 2, index: 3 }],
    ['parallel.index is 0; give a whole number, 1 or more', { nonce: 'n', total: -1, index: 0 }],
  ])('refuses what makes no shard: %s', async (problem, parallel) => {
    const error = await errorOf(uploadBuild(buildClient({ token: 'x' }), [], { ...SOURCE, parallel: parallel as ParallelOptions }));
    expect(isUsageError(error) && error.message).toContain(`uploadBuild: ${problem}`);
  });
});

describe('uploadBuild, of more than 5,000 files', () => {
  it('makes shards of one build by itself', async () => {
    const { server, http } = await buildApi();
    const folder = await folderOf(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.png`, `bytes ${index}`])));
    const found = await all(screenshots(folder));
    const files = Array.from({ length: 5_001 }, (_, index) => ({ path: '', contentType: '', ...found[index % 30], name: `${index}.png` }));
    const events = await all(uploadBuild(http, files, SOURCE));
    expect(server.builds).toMatchObject([
      {
        finalized: true,
        parallelTotal: 2,
        shards: [
          { index: 1, complete: true },
          { index: 2, complete: true },
        ],
      },
    ]);
    expect(server.builds[0]?.screenshots.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
    expect(only(events, 'created').map(({ part, parts, build }) => [part, parts, build.id])).toEqual([
      [1, 2, '1'],
      [2, 2, '1'],
    ]);
    expect(server.counts.byRoute['POST /storage/:key']).toBe(30);
  });
});

describe('finalizeBuilds', () => {
  it('finds no build where no shard has arrived', async () => {
    const { http } = await buildApi();
    expect(await lastValueFrom(finalizeBuilds(http, { nonce: 'n' }))).toEqual({ type: 'finalized', builds: [] });
  });

  it('refuses a nonce that is none, and tells why the API does not do it', async () => {
    const { http } = await buildApi({ flaky: { routes: 'POST /v2/builds/finalize', failures: 9 } });
    expect(String(await errorOf(finalizeBuilds(http, { nonce: ' ' })))).toContain(
      'finalizeBuilds: nonce is " "; give the one that the shards',
    );
    const error = await errorOf(finalizeBuilds(http, { nonce: 'n', retry: { rules: {} } }));
    expect(isUploadError(error) && error.message).toMatch(/^The builds were not finalised: .*503 .*; it may be repeated$/);
  });
});

describe('skipBuild', () => {
  it('makes a build that is marked as skipped', async () => {
    const { server, http } = await buildApi();
    expect(await lastValueFrom(skipBuild(http, { ...SOURCE, name: 'web' }))).toMatchObject({ type: 'skipped', build: { id: '1' } });
    expect(server.builds).toMatchObject([{ ...SOURCE, name: 'web', skipped: true, screenshots: [] }]);
  });
});
