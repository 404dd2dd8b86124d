import { startServer } from 'coldfetch/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../../node/support.js';
import { type Fault, faultyProxy } from '../../support/faultyProxy.js';
import { coldfetch } from '../support.js';

/** Uploads two files through a proxy whose first request that matches has a fault. */
async function uploadWith(fault: Fault, at: RegExp) {
  const server = await startServer();
  onTestFinished(() => server.close());
  let isDone = false;
  const proxy = await faultyProxy(server.url, (request) => {
    if (isDone || !at.test(request)) return undefined;
    isDone = true;
    return fault;
  });
  const to = ['--api', server.apiUrl.replace(server.url, proxy.url), '--token', 'x', '--commit', 'c'.repeat(40), '--branch', 'main'];
  const { code, stderr } = await coldfetch(['upload', await folderOf({ 'a.png': 'a', 'b.png': 'b' }), ...to, '--quiet']);
  return { code, stderr, builds: server.builds, isDone };
}

const STORAGE = /^POST \/storage/;
const CREATE = /^POST \/v2\/builds$/;
const COMPLETE = /^PUT \/v2\/builds\//;

describe('an upload whose connection fails once', () => {
  it.each<[Fault, RegExp]>([
    ['reset before the answer', STORAGE],
    ['reset in the body', STORAGE],
    ['reset after the body', STORAGE],
    ['reset in the headers', STORAGE],
    ['1-byte chunks', CREATE],
    ['reset after the body', COMPLETE],
    ['reset in the headers', COMPLETE],
    ['wrong length', COMPLETE],
  ])('arrives whole, as one build: %s, %s', async (fault, at) => {
    const { code, stderr, builds, isDone } = await uploadWith(fault, at);
    expect([code, stderr, isDone]).toEqual([0, '', true]);
    expect(builds).toMatchObject([{ finalized: true, screenshots: [{ name: 'a.png' }, { name: 'b.png' }] }]);
  });

  it.each<Fault>(['reset after the body', 'reset in the headers', 'wrong length'])(
    'makes no second build where the answer about the first is lost, and says so: %s',
    async (fault) => {
      const { code, stderr, builds } = await uploadWith(fault, CREATE);
      expect([code, builds.length]).toEqual([1, 1]);
      expect(stderr).toMatch(/^coldfetch: No build was created: [^\n]*; a build may exist all the same: look before you upload again\n$/);
    },
  );
});
