import { startServer } from 'coldfetch/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../../node/support.js';
import { faultyProxy } from '../../support/faultyProxy.js';
import { loopback } from '../../support/loopback.js';
import { coldfetch } from '../support.js';

/** URL of an API that answers with `status` where a request matches. */
async function refusing(route: RegExp, status: number): Promise<string> {
  const server = await startServer();
  onTestFinished(() => server.close());
  const proxy = await faultyProxy(server.url, (request) => (route.test(request) ? status : undefined));
  onTestFinished(() => proxy.close());
  return server.apiUrl.replace(server.url, proxy.plain);
}

const FACTS = ['--commit', 'c'.repeat(40), '--branch', 'main'];

describe('a refused token', () => {
  it.each([
    ['COLDFETCH_TOKEN', [], { COLDFETCH_TOKEN: 's3cret' }],
    ['ARGOS_TOKEN', [], { ARGOS_TOKEN: 's3cret' }],
    ['--token', ['--token', 's3cret'], { COLDFETCH_TOKEN: 'other' }],
  ])('is told by its place, %s, and with what to check, after a 401 and a 403', async (from, flags, env) => {
    const folder = await folderOf({ 'a.png': 'a' });
    const unknown = await coldfetch(['upload', folder, '--api', await refusing(/builds$/, 401), ...FACTS, ...flags], { env });
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain(`The API refused the token of ${from}, as one that it does not know: check that it is whole`);
    const forbidden = await coldfetch(['upload', folder, '--api', await refusing(/builds$/, 403), ...FACTS, ...flags], { env });
    expect(forbidden.code).toBe(1);
    expect(forbidden.stderr).toMatch(
      new RegExp(`^coldfetch: No build was created: [^\\n]*403[^\\n]*; the token of ${from} may not do this: check`),
    );
    expect(unknown.stderr + forbidden.stderr).not.toContain('s3cret');
  });

  it.each([
    [401, 2, 'The API refused the token of ARGOS_TOKEN'],
    [403, 1, 'the token of ARGOS_TOKEN may not do this'],
  ])('is explained by finalize, too: %i', async (status, code, text) => {
    const argv = ['finalize', '--api', await refusing(/finalize$/, status), '--parallel-nonce', 'n'];
    const outcome = await coldfetch(argv, { env: { ARGOS_TOKEN: 's3cret' } });
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(text)]);
  });
});

describe('a file that is too large for the server', () => {
  it('is sent once, and named with its size and the limit', async () => {
    const server = await loopback((request, response) => {
      request.resume().on('end', () => response.writeHead(413, { 'content-type': 'application/json' }).end('{"limit":1024}'));
    });
    const { code, stdout, stderr } = await coldfetch(['put', await folderOf({ 'a.png': 'a'.repeat(2048) }), `${server.url}/{name}`]);
    expect([code, server.requests]).toEqual([1, ['PUT /a.png']]);
    expect(stderr).toMatch(/^failed: a\.png: PUT [^\n]* 413 [^\n]*; the server takes at most 1,024 bytes; the file has 2,048 bytes\n$/);
    expect(stdout).toContain('1 file failed (a.png): make the file smaller, or leave it out by --exclude');
  });
});
