import { startServer } from 'coldfetch/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../../node/support.js';
import { faultyProxy } from '../../support/faultyProxy.js';
import { coldfetch } from '../support.js';

/** Statuses that no retry waits out. */
const FINAL = [400, 401, 403, 404, 405, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423, 424, 426, 428, 431, 451];

async function uploadTo(route: RegExp, status: number) {
  const server = await startServer();
  onTestFinished(() => server.close());
  const proxy = await faultyProxy(server.url, (request) => (route.test(request) ? status : undefined));
  const to = ['--api', server.apiUrl.replace(server.url, proxy.url), '--token', 's3cret', '--commit', 'c'.repeat(40), '--branch', 'main'];
  const { code, stderr } = await coldfetch(['upload', await folderOf({ 'a.png': 'a' }), ...to, '--quiet']);
  return { code, stderr, builds: server.builds };
}

describe('an upload to a server that answers with a final status', () => {
  it.each(FINAL)('says that no build was created after a %i, and none was', async (status) => {
    const { code, stderr, builds } = await uploadTo(/^POST \/v2\/builds$/, status);
    expect([code, builds.length]).toEqual([status === 401 ? 2 : 1, 0]);
    expect(stderr).toMatch(
      status === 401 ? /^coldfetch: The API refused the token/ : new RegExp(`^coldfetch: No build was created: [^\\n]*${status}`),
    );
    expect(stderr).not.toContain('s3cret');
  });

  it.each(FINAL)('names the file that a %i refused, and leaves the build open', async (status) => {
    const { code, stderr, builds } = await uploadTo(/^POST \/storage/, status);
    expect([code, builds]).toMatchObject([1, [{ finalized: false }]]);
    expect(stderr).toMatch(new RegExp(`^failed: a\\.png: POST http:\\S+ ${status} `));
  });

  it.each(FINAL)('says that the build could not be completed after a %i', async (status) => {
    const { code, stderr, builds } = await uploadTo(/^PUT \/v2\/builds/, status);
    expect([code === 0, builds]).toMatchObject([false, [{ finalized: false }]]);
    expect(stderr).toMatch(/^coldfetch: (The files are sent, but the build could not be completed|The API refused the token)/);
  });
});
