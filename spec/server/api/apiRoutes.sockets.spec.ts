import { describe, expect, it } from 'vitest';
import { buildOf, call, COMMIT, keyOf, screenshotsOf, serve } from '../support.js';

describe('the build API', () => {
  describe('with a token', () => {
    it.each([undefined, 'Bearer', 'Bearer  ', 'Basic abc', 'abc'])('answers 401 to %j', async (authorization) => {
      const server = await serve();
      const response = await fetch(new URL('project', server.apiUrl), { headers: authorization === undefined ? {} : { authorization } });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: expect.stringContaining('Bearer') as string });
    });

    it('takes only the one it was given, and does not echo another', async () => {
      const server = await serve({ token: 'right' });
      const refused = await call(server, 'GET', 'project', undefined, { authorization: 'Bearer wrong-secret' });
      expect(refused.status).toBe(401);
      expect(refused.text).not.toContain('wrong-secret');
      expect((await call(server, 'GET', 'project', undefined, { authorization: 'Bearer right' })).status).toBe(200);
    });
  });

  it('describes its project', async () => {
    const server = await serve({ hasRemoteContentAccess: false });
    expect((await call(server, 'GET', 'project')).json).toMatchObject({
      id: '1',
      defaultBaseBranch: 'main',
      hasRemoteContentAccess: false,
    });
  });

  describe('POST builds', () => {
    it('answers 201 with the build, and an upload for each file', async () => {
      const server = await serve();
      const { status, json } = await call(server, 'POST', 'builds', buildOf(['one', 'two'], { pwTraceKeys: [keyOf('trace')] }));
      expect(status).toBe(201);
      expect(json.build).toMatchObject({ id: '1', url: `${server.url}/builds/1` });
      expect(json.screenshots?.map(({ key }) => key)).toEqual([keyOf('one'), keyOf('two')]);
      expect(json.pwTraces?.map(({ key }) => key)).toEqual([keyOf('trace')]);
      expect(json.screenshots?.[0]?.fields).toMatchObject({ key: keyOf('one'), 'Content-Type': 'image/png' });
    });

    it('takes null for everything that is not known, and ignores fields it does not know', async () => {
      const server = await serve();
      const unknown = {
        name: null,
        mode: null,
        parallel: null,
        parallelNonce: null,
        prNumber: null,
        parentCommits: null,
        runId: null,
        later: 1,
      };
      expect((await call(server, 'POST', 'builds', buildOf([], unknown))).status).toBe(201);
    });

    it('is not idempotent: again makes a second build', async () => {
      const server = await serve();
      await call(server, 'POST', 'builds', buildOf([]));
      expect((await call(server, 'POST', 'builds', buildOf([]))).json.build?.id).toBe('2');
    });

    const twice = { key: 'a'.repeat(64), contentType: 'image/png' };
    const many = Array.from({ length: 5_001 }, (_, n) => ({ key: n.toString(16).padStart(64, '0'), contentType: 'image/png' }));
    it.each<[string, unknown, string]>([
      ['a body that is an array', [], 'The body must be an object'],
      ['a commit that is short', buildOf([], { commit: 'abc' }), '`commit` must be a commit: 40 hexadecimal digits'],
      ['no branch', buildOf([], { branch: undefined }), '`branch` must be a string that is not empty'],
      [
        'a key that is no SHA-256',
        { ...buildOf([]), screenshots: [{ ...twice, key: 'g'.repeat(64) }] },
        '`screenshots[0].key` must be a SHA-256',
      ],
      ['no content type', { ...buildOf([]), screenshots: [{ key: twice.key }] }, '`screenshots[0].contentType` must be a content type'],
      ['a key twice', { ...buildOf([]), screenshots: [twice, twice] }, '`screenshots` must hold each key once'],
      ['5,001 keys', { ...buildOf([]), screenshots: many }, '`screenshots` must have 0 to 5000 items, it has 5001'],
      ['no list of screenshots', buildOf([], { screenshots: undefined }), '`screenshots` must be an array'],
      ['an unknown mode', buildOf([], { mode: 'fast' }), '`mode` must be one of ci, monitoring'],
      ['a run attempt of 0', buildOf([], { runAttempt: 0 }), '`runAttempt` must be a whole number, 1 or more'],
    ])('answers 400 with details to %s', async (_, body, message) => {
      const { status, json } = await call(await serve(), 'POST', 'builds', body);
      expect(status).toBe(400);
      expect(json.error).toBe('Invalid parameters');
      expect(json.details?.map((detail) => detail.message).join()).toContain(message);
    });

    it('takes 5,000 keys', async () => {
      const { status, json } = await call(await serve(), 'POST', 'builds', { ...buildOf([]), screenshots: many.slice(1) });
      expect(status).toBe(201);
      expect(json.screenshots).toHaveLength(5_000);
    });

    it('answers 400 to what is not JSON, and 413 above 3 MB', async () => {
      const server = await serve();
      const send = (body: string): Promise<Response> =>
        fetch(new URL('builds', server.apiUrl), {
          method: 'POST',
          headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
          body,
        });
      expect((await send('{"commit":')).status).toBe(400);
      expect((await send(JSON.stringify(buildOf([], { later: 'x'.repeat(3 * 1024 * 1024) })))).status).toBe(413);
      expect((await send(JSON.stringify(buildOf([], { later: 'x'.repeat(3 * 1024 * 1024 - 1_000) })))).status).toBe(201);
    });

    it('makes a skipped build complete at once', async () => {
      const server = await serve();
      await call(server, 'POST', 'builds', buildOf([], { skipped: true }));
      expect(server.builds[0]).toMatchObject({ skipped: true, finalized: true });
    });
  });

  describe('PUT builds/{id}', () => {
    it('stores names and keys, and completes the build', async () => {
      const server = await serve();
      await call(server, 'POST', 'builds', buildOf(['one']));
      const { status, json } = await call(server, 'PUT', 'builds/1', screenshotsOf({ home: 'one', 'home copy': 'one' }, { final: true }));
      expect(status).toBe(200);
      expect(json.build).toMatchObject({ id: '1', status: 'progress' });
      expect(server.builds[0]?.screenshots.map(({ name, key }) => [name, key])).toEqual([
        ['home', keyOf('one')],
        ['home copy', keyOf('one')],
      ]);
      expect(await (await fetch(`${server.url}/builds/1`)).json()).toMatchObject({ id: '1', finalized: true, commit: COMMIT });
    });

    it('stays open until the final request', async () => {
      const server = await serve();
      await call(server, 'POST', 'builds', buildOf([]));
      await call(server, 'PUT', 'builds/1', screenshotsOf({ a: 'one' }, { final: false }));
      expect(server.builds[0]?.finalized).toBe(false);
      await call(server, 'PUT', 'builds/1', screenshotsOf({ b: 'two' }, { final: true }));
      expect(server.builds[0]).toMatchObject({ finalized: true, screenshots: [{ name: 'a' }, { name: 'b' }] });
    });

    it('completes an upload of nothing', async () => {
      const server = await serve();
      await call(server, 'POST', 'builds', buildOf([]));
      expect((await call(server, 'PUT', 'builds/1', { screenshots: [], final: true })).status).toBe(200);
      expect(server.builds[0]?.finalized).toBe(true);
    });

    it('answers 200 to a repeat of what is stored, and 409 to anything new', async () => {
      const server = await serve();
      await call(server, 'POST', 'builds', buildOf([]));
      await call(server, 'PUT', 'builds/1', screenshotsOf({ a: 'one' }, { final: true }));
      expect((await call(server, 'PUT', 'builds/1', screenshotsOf({ a: 'one' }, { final: true }))).status).toBe(200);
      const late = await call(server, 'PUT', 'builds/1', screenshotsOf({ a: 'two' }, { final: true }));
      expect(late).toMatchObject({ status: 409, json: { error: 'Build is already finalized' } });
      expect(server.builds[0]?.screenshots).toHaveLength(1);
    });

    it('keeps a second file of one name under the next free name', async () => {
      const server = await serve();
      await call(server, 'POST', 'builds', buildOf([]));
      await call(server, 'PUT', 'builds/1', screenshotsOf({ a: 'one' }, { final: false }));
      await call(server, 'PUT', 'builds/1', screenshotsOf({ a: 'two' }, { final: false }));
      await call(server, 'PUT', 'builds/1', screenshotsOf({ a: 'two' }, { final: false }));
      expect(server.builds[0]?.screenshots.map(({ name }) => name)).toEqual(['a', 'a-1']);
    });

    it('answers 404 to a build it does not know', async () => {
      expect(await call(await serve(), 'PUT', 'builds/7', { screenshots: [] })).toMatchObject({
        status: 404,
        json: { error: 'Build not found' },
      });
    });

    it.each<[string, unknown, string]>([
      ['no list', {}, '`screenshots` must be an array'],
      ['a screenshot without a name', { screenshots: [{ key: keyOf('x') }] }, '`screenshots[0].name` must be'],
      [
        'a threshold above 1',
        { screenshots: [{ key: keyOf('x'), name: 'x', threshold: 2 }] },
        '`screenshots[0].threshold` must be a number, 0 to 1',
      ],
      ['a shard index of 0', { screenshots: [], parallelIndex: 0 }, '`parallelIndex` must be a whole number, 1 or more'],
      ['a total of -2', { screenshots: [], parallelTotal: -2 }, '`parallelTotal` must be a whole number, -1 or more'],
    ])('answers 400 to %s', async (_, body, message) => {
      const server = await serve();
      await call(server, 'POST', 'builds', buildOf([]));
      const { status, json } = await call(server, 'PUT', 'builds/1', body);
      expect(status).toBe(400);
      expect(json.details?.[0]?.message).toContain(message);
    });
  });
});
