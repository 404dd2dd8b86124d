import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buildClient, finalizeBuilds, skipBuild, uploadBuild } from 'coldfetch/node';
import { undici } from 'coldfetch/undici';
import { concat, lastValueFrom, of } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';

const options = { commit: 'c'.repeat(40), branch: 'main' };
const build = { id: '1', url: 'https://app.example/1' };

/**
 * An API that closes an idle connection at the worst moment: as the next request arrives on it. The first request for a build is refused.
 *
 * @returns its URL, and the requests that it has answered
 */
async function hurriedApi() {
  const answered: string[] = [];
  const used = new WeakSet<Socket>();
  const answer = ({ method, url }: IncomingMessage, response: ServerResponse): void => {
    const request = `${method} ${url}`;
    const isFirst = !answered.includes(`${request} 429`);
    const status = request === 'POST /builds' ? (isFirst ? 429 : 201) : 200;
    answered.push(`${request} ${status}`);
    response.writeHead(status, status === 429 ? { 'retry-after': '1' } : { 'content-type': 'application/json' });
    response.end(JSON.stringify({ build, builds: [], screenshots: [] }));
  };
  const server = createServer((request, response) => {
    if (used.has(request.socket)) {
      request.socket.resetAndDestroy();
      return;
    }
    used.add(request.socket);
    request.resume().on('end', () => answer(request, response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, answered };
}

describe.each([
  ['fetch', undefined],
  ["undici's dispatcher", undici],
])('a request for a build that is not parallel, by %s', (_name, transport) => {
  it('goes by a connection of its own, so that none which the server closes meanwhile can lose it', async () => {
    const { url, answered } = await hurriedApi();
    const http = buildClient({ token: 'x', baseUrl: url, transport: transport?.() });
    const last = await lastValueFrom(uploadBuild(http, of(), options));
    expect(last).toMatchObject({ type: 'summary', completed: true });
    expect(answered).toEqual(['POST /builds 429', 'POST /builds 201', 'PUT /builds/1 200']);
  });

  it('leaves no connection of a request before it, where a skipped build is made', async () => {
    const { url, answered } = await hurriedApi();
    const http = buildClient({ token: 'x', baseUrl: url, transport: transport?.() });
    const last = await lastValueFrom(concat(finalizeBuilds(http, { nonce: 'n' }), skipBuild(http, options)));
    expect(last).toEqual({ type: 'skipped', build });
    expect(answered).toEqual(['POST /builds/finalize 200', 'POST /builds 429', 'POST /builds 201']);
  });
});
