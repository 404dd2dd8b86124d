import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { onPath } from './onPath.js';

/** Path of a Redis server, if this machine has one. */
export const REDIS_SERVER = onPath(process.env.REDIS_SERVER_PATH ?? 'redis-server');

/** A Redis of a spec's own: on loopback, empty, without persistence. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Stops answering but keeps its connections, as a stalled server does. */
  pause(): void;
  /** Answers again. */
  resume(): void;
  /** Ends it, and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts a Redis and waits until it accepts connections.
 *
 * @param port a free one by default; give one to start again where another has stopped
 */
export async function startRedis(port?: number): Promise<RedisServer> {
  if (REDIS_SERVER === undefined) throw new Error('There is no redis-server here; install it, or name it by REDIS_SERVER_PATH');
  const chosen = port ?? (await freePort());
  const dir = await mkdtemp(join(tmpdir(), 'coldfetch-redis-'));
  const options = { port: String(chosen), bind: '127.0.0.1', dir, save: '', appendonly: 'no' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn(REDIS_SERVER, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  const kill = (): void => void server.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    // A paused process hears no other signal.
    kill();
    await exited;
    process.off('exit', kill);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await ready(server);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port: chosen,
    url: `redis://127.0.0.1:${chosen}`,
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    stop,
  };
}

async function ready(server: ChildProcessByStdio<null, Readable, null>): Promise<void> {
  const log: string[] = [];
  for await (const line of createInterface(server.stdout)) {
    log.push(line);
    if (line.includes('Ready to accept connections')) {
      server.stdout.resume();
      return;
    }
  }
  throw new Error(`redis-server ended before it was ready:\n${log.join('\n')}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
