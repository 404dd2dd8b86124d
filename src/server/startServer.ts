import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { codeOf } from '../request/errors/causes.js';
import { isUsageError, UsageError } from '../request/errors/UsageError.js';
import { BuildStore } from './api/BuildStore.js';
import { createApp } from './createApp.js';
import { loadPeers } from './express/loadPeers.js';
import { RequestLog } from './express/RequestLog.js';
import { resolveOptions } from './options/resolveOptions.js';
import type { ServerOptions } from './options/ServerOptions.js';
import { rateLimiter } from './rateLimiter.js';
import type { RunningServer } from './RunningServer.js';
import { FileStore } from './storage/FileStore.js';

/**
 * Starts a server that speaks the screenshot build API, on this machine: for trying clients against 429s, 503s and expired uploads, and for
 * specs. Needs the packages `express`, `express-rate-limit` and `multer`.
 *
 * @example
 * const server = await startServer({ limit: { requests: 10, windowMs: 2_000, routes: 'all' }, flaky: 'POST /storage/*' });
 * const answer = await fetch(new URL('project', server.apiUrl), { headers: { authorization: 'Bearer any' } });
 * await server.close();
 *
 * @returns the server, once it listens; it keeps the process alive until {@link RunningServer.close}
 * @throws UsageError (as a rejection) for an option that makes no sense, a port in use, a folder that cannot be used, a missing package
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const resolved = resolveOptions(options);
  const peers = await loadPeers();
  const temporary = resolved.folder === undefined;
  const folder = resolved.folder === undefined ? await mkdtemp(join(tmpdir(), 'coldfetch-server-')) : resolve(resolved.folder);
  const removeTemporary = async (): Promise<void> => {
    if (temporary) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const { files, builds } = await openFolder(folder);
    const log = new RequestLog();
    const limiter = resolved.limit === false ? undefined : rateLimiter(peers, resolved.limit);
    const server = createServer(createApp(peers, { options: resolved, builds, files, log, limiter }));
    await listen(server, resolved.host, resolved.port).finally(() => server.listening || limiter?.stop());
    const { port } = server.address() as AddressInfo;
    const url = `http://${reachable(resolved.host)}:${port}`;
    const stop = async (): Promise<void> => {
      await disconnect(server);
      limiter?.stop();
      await Promise.all([files.settled(), builds.settled()]);
      await removeTemporary();
    };
    let stopped: Promise<void> | undefined;
    return {
      url,
      apiUrl: `${url}/v2/`,
      port,
      folder,
      get requests() {
        return log.records;
      },
      get counts() {
        return log.counts;
      },
      get builds() {
        return builds.all;
      },
      close: () => (stopped ??= stop()),
    };
  } catch (error) {
    await removeTemporary();
    throw error;
  }
}

async function openFolder(folder: string): Promise<{ files: FileStore; builds: BuildStore }> {
  try {
    // Steps run one after the other: no folder may be made after a failure.
    const files = await FileStore.open(folder);
    return { files, builds: await BuildStore.open(folder) };
  } catch (cause) {
    if (isUsageError(cause)) throw cause;
    throw new UsageError(
      `startServer: the folder ${folder} cannot be used (${codeOf(cause) ?? String(cause)}); pass one that is writable`,
      { cause },
    );
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(listenError(cause, host, port)));
    server.listen(port, host, resolve);
  });
}

function listenError(cause: Error, host: string, port: number): Error {
  switch (codeOf(cause)) {
    case 'EADDRINUSE':
      return new UsageError(`Port ${port} on ${host} is in use; choose another one, or 0 for any that is free`, { cause });
    case 'EACCES':
      return new UsageError(`Port ${port} on ${host} is not allowed to this user; choose one above 1023, or 0 for any that is free`, {
        cause,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UsageError(`${host} is not an address of this machine; leave host out to listen on 127.0.0.1`, { cause });
    default:
      return cause;
  }
}

function disconnect(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Host to put in a URL: a server on all addresses is reached by loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
