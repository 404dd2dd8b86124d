import { createHash } from 'node:crypto';
import { rmSync, truncateSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isHttpError, isUsageError, policies } from 'coldfetch';
import { buildClient, isUploadError, screenshots, uploadBuild, type UploadBuildEvent } from 'coldfetch/node';
import { filter, firstValueFrom, from, lastValueFrom, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../support/errorOf.js';
import { bodyOf, loopback } from '../support/loopback.js';
import { all, buildApi, folderOf, only, SOURCE, upload } from './support.js';

/** `policies.upload` without its waits. */
const AT_ONCE = {
  ...policies.upload,
  rules: Object.fromEntries(Object.entries(policies.upload.rules).map(([kind, rule]) => [kind, { ...rule, backoff: () => 1 }])),
};

const summaryOf = (events: readonly UploadBuildEvent[]) => only(events, 'summary').at(-1);

describe('uploadBuild', () => {
  it('sends every file under its name and completes the build', async () => {
    const { server, http } = await buildApi();
    const folder = await folderOf({ 'a.png': 1000, 'b/c.jpg': 70_000 });
    const events = await upload(http, folder);
    expect(events.map(({ type }) => type).filter((type) => type !== 'progress')).toEqual([
      ...['hashed', 'hashed', 'created', 'done', 'done', 'completed', 'summary'],
    ]);
    expect(server.builds).toMatchObject([
      {
        ...SOURCE,
        finalized: true,
        screenshots: [
          { name: 'a.png', contentType: 'image/png' },
          { name: 'b/c.jpg', contentType: 'image/jpeg' },
        ],
      },
    ]);
    expect(summaryOf(events)).toMatchObject({
      ...{ completed: true, files: 2, arrived: 2, failed: 0, kept: 0, duplicates: 0, bytes: 71_000, sentBytes: 71_000 },
      ...{ requests: 4, throttled: 0, waited: 0, build: { id: '1', url: `${server.url}/builds/1` } },
    });
  });

  it('sends to storage exactly the bytes of the file, with their length and none of our header fields', async () => {
    const { server, http } = await buildApi();
    await upload(http, await folderOf({ 'a.png': 'bytes' }));
    const stored = server.requests.find(({ route }) => route === 'POST /storage/:key');
    expect(stored).toMatchObject({ sha256: createHash('sha256').update('bytes').digest('hex'), bytes: 5, status: 204 });
    expect(Object.keys(stored?.headers ?? {}).filter((name) => name.startsWith('x-') || name === 'transfer-encoding')).toEqual([]);
    expect(stored?.headers['content-length']).toMatch(/^\d+$/);
  });

  it.each([
    ['/path/x.png', "'/path/x.png'"],
    [undefined, 'undefined'],
    [{ path: '/path/x.png' }, "{ path: '/path/x.png' }"],
  ])('expects Screenshots, not %o', async (file, shown) => {
    const error = await errorOf(uploadBuild(buildClient({ token: 'secret' }), [file] as never, SOURCE));
    expect(isUsageError(error) && error.message).toBe(
      `uploadBuild: a file is ${shown}; give a Screenshot, { path, name, contentType }, as screenshots(dir) does`,
    );
  });

  it.each<[string, readonly unknown[]]>([
    ['the options are undefined', [buildClient({ token: 'secret' }), []]],
    ['files is undefined', [buildClient({ token: 'secret' }), undefined, SOURCE]],
    ["files is 'shots'", [buildClient({ token: 'secret' }), 'shots', SOURCE]],
    ['http is not a client', [undefined, [], SOURCE]],
  ])('says what is missing: %s', async (problem, given) => {
    const error = await errorOf((uploadBuild as (...args: readonly unknown[]) => ReturnType<typeof uploadBuild>)(...given));
    expect(isUsageError(error) && error.message).toContain(`uploadBuild: ${problem}; give`);
  });

  it('sends the API one id for all attempts of a request, and their count', async () => {
    const { server, http } = await buildApi({ flaky: 'PUT /v2/builds/*' });
    await upload(http, await folderOf({ 'a.png': 'x' }), { retry: AT_ONCE });
    const puts = server.requests.filter(({ method }) => method === 'PUT').map(({ headers }) => headers);
    expect(puts.map((headers) => headers['x-argos-retry-attempt'])).toEqual(['0', '1', '2']);
    expect(new Set(puts.map((headers) => headers['x-argos-request-id'])).size).toBe(1);
  });

  it('sends equal bytes once, under both names', async () => {
    const { server, http } = await buildApi();
    const events = await upload(http, await folderOf({ 'a.png': 'same', 'b.png': 'same' }));
    expect(server.counts.byRoute['POST /storage/:key']).toBe(1);
    expect(server.builds[0]?.screenshots.map(({ name }) => name)).toEqual(['a.png', 'b.png']);
    expect(only(events, 'done').map(({ path, how, arrived }) => [path, how, arrived])).toEqual([
      ['a.png', 'sent', 1],
      ['b.png', 'duplicate', 2],
    ]);
  });

  it('sends only what the server lacks', async () => {
    const { server, http } = await buildApi();
    const folder = await folderOf({ 'a.png': 'old' });
    await upload(http, folder);
    await writeFile(join(folder, 'b.png'), 'new');
    const events = await upload(http, folder);
    expect(server.counts.byRoute['POST /storage/:key']).toBe(2);
    expect(summaryOf(events)).toMatchObject({ completed: true, arrived: 2, kept: 1, sentBytes: 3 });
  });

  it('makes a build of no files with one request that completes it', async () => {
    const { server, http } = await buildApi();
    const events = await all(uploadBuild(http, from([]), SOURCE));
    expect(server.counts.byRoute).toEqual({ 'POST /v2/builds': 1, 'PUT /v2/builds/:id': 1 });
    expect([server.builds[0]?.finalized, summaryOf(events)]).toMatchObject([true, { completed: true, files: 0 }]);
  });

  it('is cold: each subscription is an upload', async () => {
    const { server, http } = await buildApi();
    const events$ = uploadBuild(http, screenshots(await folderOf({ 'a.png': 'x' })), SOURCE);
    expect(server.counts.total).toBe(0);
    await all(events$);
    await all(events$);
    expect(server.builds).toHaveLength(2);
  });

  it('keeps no more files in flight than told', async () => {
    let inFlight = 0;
    let most = 0;
    const { server } = await buildApi();
    const counting = buildClient({
      token: 'secret',
      baseUrl: server.apiUrl,
      fetch: (input, init) => {
        most = Math.max(most, ++inFlight);
        return fetch(input, init).finally(() => inFlight--);
      },
    });
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.png`, 1000]));
    await upload(counting, await folderOf(files), { concurrency: 3 });
    expect(most).toBe(3);
  });

  it('waits as the server says and loses nothing', async () => {
    const first = createHash('sha256').update('image 0').digest('hex');
    const { server, http } = await buildApi({
      flaky: { routes: [`POST /storage/${first}`, 'PUT /v2/*'], failures: 1, status: 429, retryAfter: 1 },
    });
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}.png`, `image ${index}`]));
    const events = await upload(http, await folderOf(files));
    expect(only(events, 'wait')[0]).toMatchObject({ host: '127.0.0.1', files: 9 });
    expect(summaryOf(events)).toMatchObject({ completed: true, arrived: 9, failed: 0 });
    const { requests, throttled, waited, elapsed } = summaryOf(events) ?? {};
    expect([requests, throttled]).toEqual([server.counts.total, server.counts.throttled]);
    expect(throttled).toBe(2);
    expect(waited).toBeLessThanOrEqual(elapsed ?? 0);
  });

  it('goes back to 0 when an image is sent again, and reaches its size only by being done', async () => {
    const { http } = await buildApi({ flaky: { routes: 'POST /storage/*', failures: 1 } });
    const events = await upload(http, await folderOf({ 'a.png': 300_000 }), { retry: AT_ONCE });
    const progress = only(events, 'progress');
    const loaded = progress.map((event) => event.loaded);
    expect(loaded.some((bytes) => bytes > 0)).toBe(true);
    expect(progress.find(({ attempt }) => attempt === 2)?.loaded).toBe(0);
    expect(Math.max(...loaded)).toBe(299_999);
    expect(only(events, 'done')).toMatchObject([{ bytes: 300_000, attempts: 2 }]);
  });

  it('names a file that storage refuses, sends the others, and leaves the build incomplete', async () => {
    const folder = await folderOf({ 'a.png': 'a', 'b.png': 'b', 'c.png': 'c' });
    const bad = createHash('sha256').update('b').digest('hex');
    const { server, http } = await buildApi({ flaky: { routes: `POST /storage/${bad}`, failures: 99 } });
    const events = await upload(http, folder, { retry: AT_ONCE });
    expect(only(events, 'failed')).toMatchObject([{ path: 'b.png', attempts: 4 }]);
    expect(only(events, 'failed')[0]?.reason).toMatch(/: 503 Service Unavailable: ServiceUnavailable: Please reduce your request rate\.$/);
    expect(only(events, 'done').map(({ path }) => path)).toEqual(['a.png', 'c.png']);
    expect(server.counts.byRoute).not.toHaveProperty('PUT /v2/builds/:id');
    expect([server.builds[0]?.finalized, summaryOf(events)]).toMatchObject([false, { completed: false, arrived: 2, failed: 1 }]);
  });

  it('names a file that vanishes or changes after it was read', async () => {
    const { http } = await buildApi();
    const folder = await folderOf({ 'a.png': 'a', 'b.png': 'bb', 'c.png': 'c' });
    const events: UploadBuildEvent[] = [];
    const events$ = uploadBuild(http, screenshots(folder), { ...SOURCE, concurrency: 1 });
    await lastValueFrom(
      events$.pipe(
        tap((event) => {
          events.push(event);
          if (event.type !== 'created') return;
          rmSync(join(folder, 'a.png'));
          truncateSync(join(folder, 'b.png'), 1);
        }),
      ),
    );
    expect(only(events, 'failed').map(({ path, reason }) => [path, reason.replace(folder, '')])).toEqual([
      ['a.png', '/a.png does not exist'],
      ['b.png', expect.stringMatching(/^\/b\.png changed after/)],
    ]);
    expect(summaryOf(events)).toMatchObject({ completed: false, arrived: 1, failed: 2 });
  });

  it('asks once for new permits when those it has have expired', async () => {
    const { server, http } = await buildApi({ expiresIn: ({ count }) => (count === 0 ? 0 : 1_800_000) });
    const events = await upload(http, await folderOf({ 'a.png': 'a', 'b.png': 'b', 'c.png': 'c' }));
    expect(only(events, 'created').map(({ reason, missing }) => [reason, missing])).toEqual([
      ['new', 3],
      ['expired', 3],
    ]);
    expect(server.builds.map(({ finalized, screenshots: { length } }) => [finalized, length])).toEqual([
      [false, 0],
      [true, 3],
    ]);
    expect(summaryOf(events)).toMatchObject({ completed: true, arrived: 3, build: { id: '2' } });
  });

  it('tells of a permit that has expired twice', async () => {
    const { http } = await buildApi({ expiresIn: 0 });
    const events = await upload(http, await folderOf({ 'a.png': 'a' }));
    expect(only(events, 'failed')[0]?.reason).toMatch(/403 Forbidden: AccessDenied: Invalid according to Policy: Policy expired\.$/);
  });

  it('stops at once when nobody listens any more, also in a wait', async () => {
    const { server, http } = await buildApi({ limit: { requests: 1, windowMs: 60_000, routes: 'all' } });
    const events$ = uploadBuild(http, screenshots(await folderOf({ 'a.png': 'a' })), SOURCE);
    await firstValueFrom(events$.pipe(filter((event) => event.type === 'wait')));
    // Had it gone on, it would have sent by now: another request on a way of its own takes as long.
    const { total } = server.counts;
    await fetch(server.apiUrl);
    expect(server.counts.total).toBe(total + 1);
  });
});

describe('uploadBuild, before anything is sent', () => {
  it.each([
    [{ 'a.png': '' }, /a\.png is empty \(0 bytes\) \(nothing was sent\)$/],
    [{ 'a.png': 52_428_801 }, /a\.png has 50\.0 MiB; the API takes at most 50 MiB a file/],
    [{ 'a.png': '', 'b.png': '' }, /a\.png is empty \(0 bytes\); .*b\.png is empty/],
  ])('names the files that cannot be sent', async (files, message) => {
    const { server, http } = await buildApi();
    const error = await errorOf(uploadBuild(http, screenshots(await folderOf({ ...files, 'good.png': 'x' })), SOURCE));
    expect([isUsageError(error), String(error)]).toEqual([true, expect.stringMatching(message)]);
    expect(server.counts.total).toBe(0);
  });

  it('takes a file of exactly 50 MiB', async () => {
    const { http } = await buildApi();
    expect(summaryOf(await upload(http, await folderOf({ 'a.png': Buffer.alloc(52_428_800) })))).toMatchObject({ completed: true });
  });

  it('refuses two files of one name', async () => {
    const { http } = await buildApi();
    const folder = await folderOf({ 'a.png': 'x' });
    const file = { path: join(folder, 'a.png'), name: 'a', contentType: 'image/png' };
    expect(String(await errorOf(uploadBuild(http, [file, file], SOURCE)))).toContain('Two files are named a');
  });

  it.each([
    [{ commit: 'abc' }, "commit is 'abc'"],
    [{ branch: '' }, "branch is ''"],
    [{ concurrency: 0 }, 'concurrency is 0'],
  ])('refuses %j', async (options, message) => {
    const { http } = await buildApi();
    const error = await errorOf(uploadBuild(http, from([]), { ...SOURCE, ...options }));
    expect([isUsageError(error), String(error)]).toEqual([true, expect.stringContaining(message)]);
  });
});

describe('uploadBuild, creating the build', () => {
  it('is retried on a 429', async () => {
    const { server, http } = await buildApi({ flaky: { routes: 'POST /v2/builds', failures: 1, status: 429, retryAfter: 1 } });
    const events = await all(uploadBuild(http, from([]), SOURCE));
    expect([server.builds.length, summaryOf(events)?.completed]).toEqual([1, true]);
    expect(server.counts.throttled).toBe(1);
  });

  it('is retried when there is nobody to connect to, then reported with the host and the attempts', async () => {
    const { server } = await buildApi();
    await server.close();
    const http = buildClient({ token: 'secret', baseUrl: server.apiUrl });
    const error = await errorOf(uploadBuild(http, from([]), { ...SOURCE, retry: AT_ONCE }));
    expect(isUploadError(error) && [error.step, error.buildMayExist, error.message]).toEqual([
      'create',
      false,
      `No build was created: POST ${server.apiUrl}builds: connect ECONNREFUSED 127.0.0.1:${server.port} (4 attempts)`,
    ]);
  });

  it('says that no build exists where fetch refuses to send', async () => {
    const http = buildClient({ token: 'secret', baseUrl: 'http://127.0.0.1:1/' });
    const error = await errorOf(uploadBuild(http, from([]), { ...SOURCE, retry: AT_ONCE }));
    expect(isUploadError(error) && [error.buildMayExist, error.message]).toEqual([
      false,
      'No build was created: POST http://127.0.0.1:1/builds: bad port',
    ]);
  });

  it('is not repeated after a 503, whose build may exist', async () => {
    const { server, http } = await buildApi({ flaky: 'POST /v2/builds' });
    const error = await errorOf(uploadBuild(http, from([]), { ...SOURCE, retry: AT_ONCE }));
    expect(isUploadError(error) && [error.buildMayExist, error.message]).toEqual([true, expect.stringContaining('a build may exist')]);
    expect(server.counts.total).toBe(1);
  });

  it('is not repeated when the connection breaks behind the request', async () => {
    const { url, requests } = await loopback((request) => void bodyOf(request).then(() => request.socket.destroy()));
    const http = buildClient({ token: 'secret', baseUrl: url });
    const error = await errorOf(uploadBuild(http, from([]), { ...SOURCE, retry: AT_ONCE }));
    expect(isUploadError(error) && error.buildMayExist).toBe(true);
    expect(requests).toEqual(['POST /builds']);
  });

  it.each([301, 303, 307])('is not repeated when it was redirected by a %i to where nobody answers: it had been read', async (status) => {
    const { server } = await buildApi();
    await server.close();
    const { url, requests } = await loopback((request, response) => {
      void bodyOf(request).then(() => response.writeHead(status, { location: `${server.apiUrl}builds` }).end());
    });
    const http = buildClient({ token: 'secret', baseUrl: url });
    const error = await errorOf(uploadBuild(http, from([]), { ...SOURCE, retry: AT_ONCE }));
    expect(isUploadError(error) && error.buildMayExist).toBe(true);
    expect(requests).toEqual(['POST /builds']);
  });

  it.each([
    ['a field that is an object', { fields: { key: {} } }],
    ['no fields', { fields: null }],
  ])('recognises an answer that has %s', async (_, changes) => {
    const screenshots = [{ key: 'k', postUrl: 'http://127.0.0.1/', ...changes }];
    const answer = JSON.stringify({ build: { id: '1', url: 'http://127.0.0.1/' }, screenshots });
    const { url } = await loopback((_request, response) => void response.end(answer));
    const error = await errorOf(uploadBuild(buildClient({ token: 'secret', baseUrl: url }), from([]), SOURCE));
    expect(String(error)).toContain('its answer is not that of the build API');
  });

  it('says that no build exists where the API refused', async () => {
    const { server } = await buildApi({ token: 'right' });
    const http = buildClient({ token: 'wrong', baseUrl: server.apiUrl });
    const error = await errorOf(uploadBuild(http, from([]), SOURCE));
    expect(isUploadError(error) && [error.buildMayExist, isHttpError(error.cause)]).toEqual([false, true]);
    expect(String(error)).toMatch(/401 Unauthorized: Project not found: verify your token$/);
    expect(JSON.stringify(error)).not.toContain('wrong');
  });

  it('recognises an answer that is not of the API', async () => {
    const { url } = await loopback((_request, response) => void response.end('{"hello":"world"}'));
    const error = await errorOf(uploadBuild(buildClient({ token: 'secret', baseUrl: url }), from([]), SOURCE));
    expect(String(error)).toContain('its answer is not that of the build API');
  });
});

describe('uploadBuild, completing the build', () => {
  it('tells what arrived when it cannot', async () => {
    const { server, http } = await buildApi({ flaky: { routes: 'PUT /v2/builds/*', failures: 9, status: 500 } });
    const error = await errorOf(uploadBuild(http, screenshots(await folderOf({ 'a.png': 'x' })), { ...SOURCE, retry: AT_ONCE }));
    expect(isUploadError(error) && [error.step, error.message]).toEqual([
      'complete',
      expect.stringMatching(/^The files are sent, but the build could not be completed: .*500 .*\(4 attempts\)/),
    ]);
    expect(server.counts.byRoute['PUT /v2/builds/:id']).toBe(4);
  });

  it('splits the names over requests of at most 2 MiB, the last of which completes the build', async () => {
    const { server, http } = await buildApi();
    const folder = await folderOf({ 'a.png': 'x' });
    // Many names of one image: what counts is the JSON.
    const files = Array.from({ length: 3_000 }, (_, index) => ({
      path: join(folder, 'a.png'),
      name: `${index}-${'n'.repeat(1_000)}`,
      contentType: 'image/png',
    }));
    const events = await all(uploadBuild(http, files, SOURCE));
    const puts = server.requests.filter(({ method }) => method === 'PUT');
    expect(puts).toHaveLength(2);
    expect(Math.max(...puts.map(({ bytes }) => bytes))).toBeLessThanOrEqual(2 * 1024 * 1024 + 1_000);
    expect(server.builds[0]?.screenshots.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
    expect([server.builds[0]?.finalized, only(events, 'completed')[0]?.requests]).toEqual([true, 2]);
  });
});
