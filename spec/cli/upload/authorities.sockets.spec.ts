import { spawn } from 'node:child_process';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { startServer } from 'coldfetch/server';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { faultyProxy } from '../../support/faultyProxy.js';
import { folderOf } from '../../support/folderOf.js';
import { tunnelProxy } from '../../support/tunnelProxy.js';
import { coldfetch } from '../support.js';

const CA = fileURLToPath(new URL('../../fixtures/tls/ca.pem', import.meta.url));
const REMEDY = 'its authority is not known here: name its certificate, a PEM file, by --ca or in NODE_EXTRA_CA_CERTS';

/** The build API and its storage behind TLS, by a certificate of an unknown authority; and the commands that talk to them. */
async function target() {
  keepAuthorities();
  const server = await startServer();
  onTestFinished(() => server.close());
  const proxy = await faultyProxy(server.url, () => undefined, 'untrusted');
  onTestFinished(() => proxy.close());
  const folder = await folderOf({ 'a.png': 'a' });
  const api = ['--api', `${proxy.untrusted}/v2/`, '--token', 'x', '--parallel-nonce', 'n'];
  const facts = ['--commit', 'c'.repeat(40), '--branch', 'main', '--parallel-total', '-1', '--parallel-index', '1'];
  const commands: Readonly<Record<string, string[]>> = {
    upload: ['upload', folder, ...api, ...facts],
    finalize: ['finalize', ...api],
    put: ['put', folder, `${proxy.untrusted}/unknown/{name}`],
    get: ['get', `${proxy.untrusted}/v2/project`, '--header', 'authorization: Bearer x'],
  };
  return { server, commands, host: new URL(proxy.untrusted).host };
}

/** Authorities of this process are as before when the spec is over. */
function keepAuthorities(): void {
  const { getCACertificates, setDefaultCACertificates } = tls as {
    getCACertificates?: () => string[];
    setDefaultCACertificates?: (certificates: string[]) => void;
  };
  const before = getCACertificates?.();
  onTestFinished(() => (before ? setDefaultCACertificates?.(before) : undefined));
}

describe('certificate authorities of a command', () => {
  it('are those of Node: another is refused, with what to do', async () => {
    const { commands } = await target();
    for (const argv of Object.values(commands)) {
      const { code, stderr } = await coldfetch(argv);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`(UNABLE_TO_VERIFY_LEAF_SIGNATURE); ${REMEDY}`)]);
    }
  });

  it.each([
    ['--ca', ['--ca', CA], {}],
    ['SSL_CERT_FILE', [], { SSL_CERT_FILE: CA }],
  ])('are those of %s', async (_place, flags, env) => {
    const { server, commands } = await target();
    const outcomes = [];
    for (const name of ['upload', 'finalize', 'get']) outcomes.push(await coldfetch([...(commands[name] ?? []), ...flags], { env }));
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual(outcomes.map(() => [0, '']));
    expect(server.builds).toMatchObject([{ finalized: true, screenshots: [{ name: 'a.png' }] }]);
    // The server has no such route: its answer shows that the connection was made.
    expect(await coldfetch([...(commands.put ?? []), ...flags], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('404') as string,
    });
  });

  it('hold through a proxy', async () => {
    const { commands, host } = await target();
    const proxy = await tunnelProxy();
    const { code, stderr } = await coldfetch([...(commands.get ?? []), '--ca', CA], { env: { https_proxy: proxy.url } });
    expect([code, stderr, proxy.tunnels]).toEqual([0, '', [host]]);
  });

  it('are those of NODE_EXTRA_CA_CERTS, too, whatever else is named', async () => {
    const { commands } = await target();
    const other = fileURLToPath(new URL('../../fixtures/tls/other-ca.pem', import.meta.url));
    const child = spawn(process.execPath, [inject('command'), ...(commands.get ?? []), '--ca', other], {
      stdio: 'ignore',
      env: { ...process.env, NODE_EXTRA_CA_CERTS: CA, SSL_CERT_FILE: other },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
  });

  it('are checked before anything is sent', async () => {
    const { server, commands } = await target();
    for (const argv of Object.values(commands)) {
      expect(await coldfetch([...argv, '--ca', '/nowhere.pem'])).toMatchObject({
        code: 2,
        stderr: 'coldfetch: --ca: /nowhere.pem does not exist; name a PEM file of certificates\n',
      });
    }
    expect(server.counts.total).toBe(0);
  });
});
