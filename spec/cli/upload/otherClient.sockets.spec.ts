import { join } from 'node:path';
import { startServer } from 'coldfetch/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../../node/support.js';
import { registryProject } from '../../support/registryProject.js';
import { coldfetch } from '../support.js';

const TOKEN = 't'.repeat(40);
const ENV = {
  ARGOS_COMMIT: 'c'.repeat(40),
  ARGOS_BRANCH: 'main',
  ARGOS_TOKEN: TOKEN,
  ARGOS_PARALLEL_NONCE: 'run-1',
  ARGOS_PARALLEL_TOTAL: '2',
};

const UPLOAD = `
import { upload } from '@argos-ci/core';
const { build } = await upload({ root: process.argv[2], parallel: { nonce: 'run-1', total: 2, index: 2 } });
console.log(build.id);
`;

describe('the command, beside the other client', () => {
  it('uploads a shard of the same build, by the same variables', { timeout: 120_000 }, async () => {
    const server = await startServer({ token: TOKEN });
    onTestFinished(() => server.close());
    const project = await registryProject();
    onTestFinished(() => project.remove());
    expect(await project.install('@argos-ci/core@6.8.5')).toMatchObject({ ok: true });
    await project.write({ 'upload.mjs': UPLOAD });
    const env = { ...ENV, ARGOS_API_BASE_URL: server.apiUrl };

    const images = join(import.meta.dirname, '../../fixtures/screenshots/phone');
    const other = await project.run(process.execPath, ['upload.mjs', images], { ...env, CI: '' });
    expect(other).toEqual({ ok: true, output: expect.stringMatching(/^1\n/) });
    expect(server.builds).toMatchObject([{ finalized: false, shards: [{ index: 2 }] }]);
    const own = await coldfetch(['upload', await folderOf({ 'own.png': 'x' })], { env: { ...env, ARGOS_PARALLEL_INDEX: '1' } });
    expect(own).toMatchObject({ code: 0, stderr: '' });
    expect(server.builds).toMatchObject([{ finalized: true, shards: [{ index: 2 }, { index: 1 }] }]);
    expect(server.builds[0]?.screenshots.map(({ name }) => name)).toContain('own.png');
    expect(server.builds[0]?.screenshots.length).toBeGreaterThan(1);
  });
});
