import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUsageError } from '../../src/request/errors/UsageError.js';
import { type ServerOptions, startServer } from 'coldfetch/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildOf, call, formOf, post, screenshotsOf, serve, signed } from './support.js';

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coldfetch-spec-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function refusal(options: ServerOptions): Promise<string> {
  const error: unknown = await startServer(options).catch((reason: unknown) => reason);
  expect(isUsageError(error)).toBe(true);
  return (error as Error).message;
}

describe('startServer', () => {
  it('listens on a free loopback port and says where', async () => {
    const server = await serve();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(server.apiUrl).toBe(`${server.url}/v2/`);
    expect((await call(server, 'GET', 'project')).status).toBe(200);
  });

  it('names the port that is in use, and the remedy', async () => {
    const { port } = await serve();
    expect(await refusal({ port })).toBe(`Port ${port} on 127.0.0.1 is in use; choose another one, or 0 for any that is free`);
  });

  it('refuses an address of another machine', async () => {
    expect(await refusal({ host: '203.0.113.1' })).toContain('203.0.113.1 is not an address of this machine');
  });

  it('refuses a folder that is a file, or has one where it needs a folder', async () => {
    const folder = await scratch();
    const file = join(folder, 'files');
    await writeFile(file, '');
    expect(await refusal({ folder: file })).toContain(`the folder ${file} cannot be used (ENOTDIR)`);
    expect(await refusal({ folder })).toContain(`the folder ${folder} cannot be used (EEXIST)`);
  });

  it('closes although connections are kept alive and requests hang', async () => {
    const server = await startServer();
    await call(server, 'GET', 'project');
    const hanging = connect(server.port, '127.0.0.1');
    const closed = new Promise<void>((resolve) => hanging.on('error', () => undefined).on('close', () => resolve()));
    hanging.write(
      'POST /v2/builds HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    );
    await expect.poll(() => server.counts.total).toBe(2);
    await server.close();
    await closed;
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('may be closed more than once', async () => {
    const server = await startServer();
    await Promise.all([server.close(), server.close()]);
    await server.close();
  });

  it('removes its temporary folder when closed', async () => {
    const server = await startServer();
    expect((await stat(server.folder)).isDirectory()).toBe(true);
    await server.close();
    await expect(stat(server.folder)).rejects.toThrow(/ENOENT/);
  });

  it('leaves no temporary folder when it cannot start', async () => {
    const { port } = await serve();
    const temporary = await scratch();
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    await refusal({ port });
    expect(await readdir(temporary)).toEqual([]);
  });

  it('resumes from a folder that is kept: files and builds outlive it', async () => {
    const folder = await scratch();
    const first = await startServer({ folder });
    const [upload] = await signed(first, 'one', 'two');
    if (upload === undefined) throw new Error('nothing to upload');
    expect((await post(upload, formOf(upload, 'one'))).status).toBe(204);
    await call(first, 'PUT', 'builds/1', screenshotsOf({ one: 'one' }));
    await first.close();

    const second = await serve({ folder });
    const { json } = await call(second, 'POST', 'builds', buildOf(['one', 'two']));
    expect(json.build?.id).toBe('2');
    expect(json.screenshots).toHaveLength(1);
    expect(second.builds.map((build) => [build.id, build.finalized])).toEqual([
      ['1', true],
      ['2', false],
    ]);
  });

  it('names a file in its folder that is no build', async () => {
    const folder = await scratch();
    await (await startServer({ folder })).close();
    await writeFile(join(folder, 'builds', '1.json'), '{"id":');
    expect(await refusal({ folder })).toContain(join('builds', '1.json'));
  });

  it('answers what it does not know with 404 in JSON', async () => {
    const server = await serve();
    expect(await call(server, 'GET', 'nothing')).toMatchObject({ status: 404, json: { error: 'Not found' } });
    expect(await call(server, 'DELETE', '/project')).toMatchObject({ status: 404, json: { error: 'Not found' } });
  });
});
