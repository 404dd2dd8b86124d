import { type RunningServer, type ServerOptions, startServer } from 'coldfetch/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../../node/support.js';
import { coldfetch } from '../support.js';

const COMMIT = 'c'.repeat(40);
const OTHER = 'd'.repeat(40);

async function serverWith(options?: ServerOptions): Promise<{ server: RunningServer; to: string[] }> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return { server, to: ['--api', server.apiUrl, '--token', 'secret', '--commit', COMMIT, '--branch', 'main'] };
}

describe('coldfetch upload, told about a build', () => {
  it('sends what flags say', async () => {
    const { server, to } = await serverWith();
    const more = [
      ...['--build-name', 'web', '--mode', 'monitoring', '--reference-branch', 'dev', '--reference-commit', OTHER],
      ...['--pr-number', '12', '--pr-head-commit', OTHER, '--merge-queue-prs', '12,13', '--subset', '--threshold', '0.2'],
    ];
    const { code } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), ...to, ...more]);
    expect(code).toBe(0);
    expect(server.builds).toMatchObject([
      {
        ...{ name: 'web', mode: 'monitoring', screenshots: [{ threshold: 0.2 }] },
        details: {
          ...{ referenceBranch: 'dev', referenceCommit: OTHER, prNumber: 12, prHeadCommit: OTHER },
          ...{ mergeQueue: true, mergeQueuePrNumbers: [12, 13], subset: true },
        },
      },
    ]);
  });

  it('goes by an environment that was made for the other client', async () => {
    const { server } = await serverWith({ token: 'argos' });
    const env = {
      ARGOS_TOKEN: 'argos',
      ARGOS_API_BASE_URL: server.apiUrl,
      ARGOS_COMMIT: COMMIT,
      ARGOS_BRANCH: 'main',
      ARGOS_BUILD_NAME: 'web',
    };
    const { code } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' })], { env });
    expect([code, server.builds]).toMatchObject([0, [{ commit: COMMIT, branch: 'main', name: 'web', finalized: true }]]);
  });

  it('takes what --include names, without what --exclude does', async () => {
    const { server, to } = await serverWith();
    const folder = await folderOf({ 'a.png': 'a', 'b.jpg': 'b', 'old/c.png': 'c', 'd.txt': 'd' });
    await coldfetch(['upload', folder, ...to, '--include', '**/*.png', '--include', '*.txt', '--exclude', 'old/**']);
    expect(server.builds[0]?.screenshots.map(({ name }) => name)).toEqual(['a.png', 'd.txt']);
  });

  it('sends what side-car files say', async () => {
    const { server, to } = await serverWith();
    const sidecar = { url: 'https://app.test/', transient: { threshold: 0.7, baseName: ['old', 'older'], parentName: 'p' } };
    const folder = await folderOf({ 'a.png': 'a', 'a.png.argos.json': JSON.stringify(sidecar), 'b.png': 'b' });
    expect((await coldfetch(['upload', folder, ...to, '--threshold', '0.1'])).code).toBe(0);
    expect(server.builds[0]?.screenshots).toMatchObject([
      { name: 'a.png', threshold: 0.7, baseName: ['old', 'older'], parentName: 'p', metadata: { url: 'https://app.test/' } },
      { name: 'b.png', threshold: 0.1, baseName: null, parentName: null, metadata: null },
    ]);
  });

  it('makes a skipped build and uploads nothing with --skipped', async () => {
    const { server, to } = await serverWith();
    const { code, stdout } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), ...to, '--skipped']);
    expect([code, stdout]).toEqual([0, `build 1 is skipped: ${server.url}/builds/1\n`]);
    expect(server.builds).toMatchObject([{ skipped: true, screenshots: [] }]);
  });
});

describe('coldfetch upload, shard by shard', () => {
  it('makes one build of the jobs into which a CI service split one', async () => {
    const { server, to } = await serverWith();
    const env = (index: number) => ({ GITLAB_CI: '1', CI_PIPELINE_ID: '9', CI_NODE_TOTAL: '3', CI_NODE_INDEX: `${index}` });
    const folders = [{ 'a.png': 'a' }, {}, { 'c.png': 'c' }];
    for (const [index, files] of folders.entries()) {
      const { code } = await coldfetch(['upload', await folderOf(files), ...to], { env: env(index + 1) });
      expect(code).toBe(0);
    }
    expect(server.builds).toMatchObject([
      { parallelNonce: '9', parallelTotal: 3, finalized: true, screenshots: [{ name: 'a.png' }, { name: 'c.png' }] },
    ]);
  });

  it('uploads a build of its own with --no-parallel', async () => {
    const { server, to } = await serverWith();
    const env = { GITLAB_CI: '1', CI_PIPELINE_ID: '9', CI_NODE_TOTAL: '3', CI_NODE_INDEX: '1' };
    await coldfetch(['upload', await folderOf({ 'a.png': 'a' }), ...to, '--no-parallel'], { env });
    expect(server.builds).toMatchObject([{ parallelNonce: null, finalized: true }]);
  });

  it('is finalised by a command where the total is -1', async () => {
    const { server, to } = await serverWith();
    const nonce = ['--parallel-nonce', 'run-1'];
    await coldfetch(['upload', await folderOf({ 'a.png': 'a' }), ...to, ...nonce, '--parallel-total', '-1']);
    expect(server.builds).toMatchObject([{ finalized: false }]);
    const { code, stdout } = await coldfetch(['finalize', ...to.slice(0, 4), ...nonce]);
    expect([code, stdout]).toEqual([0, `build 1 is finalised: ${server.url}/builds/1\n`]);
    expect(server.builds).toMatchObject([{ finalized: true }]);
  });

  it('needs images where it is no shard', async () => {
    const { to } = await serverWith();
    expect(await coldfetch(['upload', await folderOf(), ...to])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No images in'),
    });
  });
});

describe('coldfetch finalize', () => {
  const to = (server: RunningServer): string[] => ['--api', server.apiUrl, '--token', 'x', '--parallel-nonce', 'n'];

  it('fails where no shard has uploaded', async () => {
    const { server } = await serverWith();
    const { code, stderr } = await coldfetch(['finalize', ...to(server)]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^coldfetch: No build has this nonce: .*; --skip-if-empty makes a skipped build\n$/),
    ]);
  });

  it('makes a skipped build there with --skip-if-empty', async () => {
    const { server } = await serverWith();
    const source = ['--commit', COMMIT, '--branch', 'main', '--build-name', 'web'];
    const { code, stdout } = await coldfetch(['finalize', ...to(server), ...source, '--skip-if-empty']);
    expect([code, stdout]).toEqual([0, `build 1 is skipped: ${server.url}/builds/1\n`]);
    expect(server.builds).toMatchObject([{ skipped: true, name: 'web' }]);
  });

  it('takes the nonce from the CI service, and asks for it elsewhere', async () => {
    const { server } = await serverWith();
    const argv = ['finalize', ...to(server).slice(0, 4)];
    const env = { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '1' };
    await coldfetch(argv, { env });
    expect(server.requests.map(({ route }) => route)).toEqual(['POST /v2/builds/finalize']);
    expect(await coldfetch(argv)).toMatchObject({ code: 2, stderr: expect.stringContaining('give --parallel-nonce') });
  });

  it('says that it waits, and that the token is refused', async () => {
    const { server } = await serverWith({ token: 'right', flaky: { routes: '*', failures: 1, status: 429, retryAfter: 1 } });
    expect(await coldfetch(['finalize', ...to(server)])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('rate-limited by 127.0.0.1: next try in'),
      stderr: expect.stringContaining('The API refused the token'),
    });
  });
});

describe('coldfetch upload --dry-run', () => {
  const files = {
    'a.png': 'same',
    'b.png': 'same',
    'a.png.argos.json': '{"transient":{"threshold":0.5}}',
    'coldfetch.config.json': '{"mode":"monitoring"}',
  };

  it('tells what would be sent and where each value comes from, and sends nothing', async () => {
    const { server } = await serverWith();
    const cwd = await folderOf(files);
    const env = { ARGOS_TOKEN: 'secret', ARGOS_COMMIT: COMMIT, COLDFETCH_API: server.apiUrl };
    const { code, stdout } = await coldfetch(['upload', '.', '--branch', 'main', '--dry-run'], { cwd, env });
    expect([code, server.counts.total]).toEqual([0, 0]);
    expect(stdout.split('\n')).toEqual([
      'Dry run: nothing is sent',
      'token: (not shown) (ARGOS_TOKEN)',
      `api: ${server.apiUrl} (COLDFETCH_API)`,
      'mode: monitoring (mode in coldfetch.config.json)',
      'concurrency: 10 (default)',
      `commit: ${COMMIT} (ARGOS_COMMIT)`,
      'branch: main (--branch)',
      expect.stringMatching(/^a\.png: 4 B, image\/png, SHA-256 [\da-f]{64}, threshold 0\.5$/),
      expect.stringMatching(/^b\.png: 4 B, image\/png, SHA-256 [\da-f]{64}$/),
      '2 files: at most 1 image to send (4 B), 2 requests to the API',
      '',
    ]);
  });

  it('tells the very requests with --json', async () => {
    const argv = [
      'upload',
      await folderOf(files),
      '--commit',
      COMMIT,
      '--branch',
      'main',
      '--parallel-nonce',
      'n',
      '--parallel-total',
      '2',
    ];
    const { stdout } = await coldfetch([...argv, '--dry-run', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      dryRun: true,
      settings: { commit: { value: COMMIT, from: '--commit' }, token: { from: 'not set' } },
      files: [{ name: 'a.png', threshold: 0.5 }, { name: 'b.png' }],
      requests: [
        {
          method: 'POST',
          path: 'builds',
          body: { commit: COMMIT, parallel: true, parallelNonce: 'n', screenshots: [{ contentType: 'image/png' }] },
        },
        {
          method: 'PUT',
          path: 'builds/{id}',
          body: { parallelTotal: 2, parallelIndex: null, final: true, screenshots: [{ name: 'a.png' }, {}] },
        },
      ],
    });
  });

  it('tells of a skipped build that nothing but its request is sent', async () => {
    const argv = ['upload', await folderOf(files), '--commit', COMMIT, '--branch', 'main', '--skipped', '--dry-run', '--json'];
    expect(JSON.parse((await coldfetch(argv)).stdout)).toMatchObject({
      files: [],
      requests: [{ method: 'POST', path: 'builds', body: { skipped: true, screenshots: [] } }],
    });
  });

  it('names what cannot be sent', async () => {
    const argv = ['upload', await folderOf({ 'a.png': '' }), '--commit', COMMIT, '--branch', 'main', '--dry-run'];
    expect(await coldfetch(argv)).toMatchObject({ code: 2, stderr: expect.stringContaining('a.png is empty (0 bytes)') });
  });
});
