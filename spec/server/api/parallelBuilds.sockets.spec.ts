import type { RunningServer } from 'coldfetch/server';
import { describe, expect, it } from 'vitest';
import { buildOf, call, screenshotsOf, serve } from '../support.js';

const RUN = { parallel: true, parallelNonce: 'run-1' };

async function parallelBuild(): Promise<RunningServer> {
  const server = await serve();
  await call(server, 'POST', 'builds', buildOf(['one'], RUN));
  return server;
}

/** One shard's request. */
function shard(server: RunningServer, files: Record<string, string>, more: Record<string, unknown>, requestId?: string) {
  const headers: Record<string, string> = requestId === undefined ? {} : { 'x-argos-request-id': requestId };
  return call(server, 'PUT', 'builds/1', screenshotsOf(files, { parallel: true, ...more }), headers);
}

describe('a parallel build', () => {
  it('is one build for all shards of a nonce, and signs again what is missing', async () => {
    const server = await parallelBuild();
    const again = await call(server, 'POST', 'builds', buildOf(['one', 'two'], RUN));
    expect(again.json.build?.id).toBe('1');
    expect(again.json.screenshots).toHaveLength(2);
  });

  it('is another one for another name', async () => {
    const server = await parallelBuild();
    expect((await call(server, 'POST', 'builds', buildOf([], { ...RUN, name: 'other' }))).json.build?.id).toBe('2');
  });

  it('needs a nonce', async () => {
    expect(await call(await serve(), 'POST', 'builds', buildOf([], { parallel: true }))).toMatchObject({
      status: 400,
      json: { error: '`parallelNonce` is required when `parallel` is `true`' },
    });
  });

  it('is complete with its last shard', async () => {
    const server = await parallelBuild();
    await shard(server, { a: 'one' }, { parallelTotal: 2, parallelIndex: 1 });
    expect(server.builds[0]?.finalized).toBe(false);
    await shard(server, { b: 'two' }, { parallelTotal: 2, parallelIndex: 2 });
    expect(server.builds[0]).toMatchObject({ finalized: true, screenshots: [{ name: 'a' }, { name: 'b' }] });
    expect(await call(server, 'POST', 'builds', buildOf([], RUN))).toMatchObject({
      status: 409,
      json: { error: 'Build is already finalized' },
    });
  });

  it('counts a shard in several requests once, with the final one', async () => {
    const server = await parallelBuild();
    await shard(server, { a: 'one' }, { parallelTotal: 2, parallelIndex: 1, final: false });
    await shard(server, { b: 'two' }, { parallelTotal: 2, parallelIndex: 1, final: true });
    expect(server.builds[0]).toMatchObject({ finalized: false, shards: [{ index: 1, complete: true }] });
    expect(server.builds[0]?.screenshots).toHaveLength(2);
  });

  it('knows a repeated shard by its index', async () => {
    const server = await parallelBuild();
    await shard(server, { a: 'one' }, { parallelTotal: 2, parallelIndex: 1 });
    expect((await shard(server, { a: 'one' }, { parallelTotal: 2, parallelIndex: 1 })).status).toBe(200);
    expect(server.builds[0]).toMatchObject({ finalized: false, shards: [{ index: 1 }] });
  });

  it('takes nothing more for a shard that is complete', async () => {
    const server = await parallelBuild();
    await shard(server, { a: 'one' }, { parallelTotal: 2, parallelIndex: 1 });
    expect((await shard(server, { b: 'two' }, { parallelTotal: 2, parallelIndex: 1 })).status).toBe(200);
    expect(server.builds[0]?.screenshots).toMatchObject([{ name: 'a' }]);
  });

  it('knows a repeated shard without an index by its request id', async () => {
    const server = await parallelBuild();
    await shard(server, { a: 'one' }, { parallelTotal: 2 }, 'request-1');
    await shard(server, { a: 'one' }, { parallelTotal: 2 }, 'request-1');
    expect(server.builds[0]).toMatchObject({ finalized: false, shards: [{ index: null, requestId: 'request-1' }] });
    await shard(server, { b: 'two' }, { parallelTotal: 2 }, 'request-2');
    expect(server.builds[0]?.finalized).toBe(true);
  });

  it('answers 200 to a repeat of the request that completed it', async () => {
    const server = await parallelBuild();
    await shard(server, { a: 'one' }, { parallelTotal: 1, parallelIndex: 1 });
    expect((await shard(server, { a: 'one' }, { parallelTotal: 1, parallelIndex: 1 })).status).toBe(200);
    expect((await shard(server, { b: 'two' }, { parallelTotal: 1, parallelIndex: 2 })).status).toBe(409);
  });

  it('refuses another total than before', async () => {
    const server = await parallelBuild();
    await shard(server, {}, { parallelTotal: 3, parallelIndex: 1 });
    expect(await shard(server, {}, { parallelTotal: 2, parallelIndex: 2 })).toMatchObject({
      status: 400,
      json: { error: '`parallelTotal` must be the same on every batch' },
    });
  });

  it('refuses a shard in parts that has no index', async () => {
    const server = await parallelBuild();
    expect(await shard(server, {}, { parallelTotal: 2, final: false })).toMatchObject({
      status: 400,
      json: { error: '`parallelIndex` is required when `final` is `false`' },
    });
  });

  it('with a total of -1 waits to be finalised by hand', async () => {
    const server = await parallelBuild();
    await shard(server, { a: 'one' }, { parallelTotal: -1 }, 'request-1');
    await shard(server, { b: 'two' }, { parallelTotal: -1 }, 'request-2');
    expect(server.builds[0]?.finalized).toBe(false);
    const { status, json } = await call(server, 'POST', 'builds/finalize', { parallelNonce: 'run-1' });
    expect(status).toBe(200);
    expect(json.builds).toMatchObject([{ id: '1', status: 'progress' }]);
    expect(server.builds[0]?.finalized).toBe(true);
  });

  it('may be finalised again; a nonce that nobody used finalises nothing', async () => {
    const server = await parallelBuild();
    await call(server, 'POST', 'builds/finalize', { parallelNonce: 'run-1' });
    expect((await call(server, 'POST', 'builds/finalize', { parallelNonce: 'run-1' })).json.builds).toHaveLength(1);
    expect(await call(server, 'POST', 'builds/finalize', { parallelNonce: 'run-2' })).toMatchObject({ status: 200, json: { builds: [] } });
    expect((await call(server, 'POST', 'builds/finalize', {})).status).toBe(400);
  });
});

describe('POST baseline', () => {
  const commit = (digit: string): string => digit.repeat(40);

  async function withBuild(more: Record<string, unknown>): Promise<RunningServer> {
    const server = await serve();
    await call(server, 'POST', 'builds', buildOf([], { commit: commit('a'), ...more }));
    await call(server, 'PUT', 'builds/1', { screenshots: [] });
    return server;
  }

  it('finds the complete build of the closest commit', async () => {
    const server = await withBuild({});
    const { json } = await call(server, 'POST', 'baseline', { commits: [commit('b'), commit('a')], name: null, mode: null });
    expect(json.baseline).toMatchObject({ id: '1', head: { sha: commit('a') } });
  });

  it('is null for other commits, other names, other modes, and builds that are not complete', async () => {
    const server = await withBuild({ name: 'web', mode: 'monitoring' });
    await call(server, 'POST', 'builds', buildOf([], { commit: commit('b') }));
    const baseline = async (body: unknown): Promise<unknown> => (await call(server, 'POST', 'baseline', body)).json.baseline;
    expect(await baseline({ commits: [commit('a')], name: 'web', mode: 'monitoring' })).not.toBeNull();
    expect(await baseline({ commits: [commit('c')], name: 'web', mode: 'monitoring' })).toBeNull();
    expect(await baseline({ commits: [commit('a')], mode: 'monitoring' })).toBeNull();
    expect(await baseline({ commits: [commit('a')], name: 'web' })).toBeNull();
    expect(await baseline({ commits: [commit('b')] })).toBeNull();
  });

  it('wants at least one commit', async () => {
    expect((await call(await serve(), 'POST', 'baseline', { commits: [] })).status).toBe(400);
  });
});
