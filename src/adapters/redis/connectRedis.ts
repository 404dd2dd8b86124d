import { catchError, firstValueFrom, from, of, race } from 'rxjs';
import { isMissing, rethrow } from '../../files/isMissing.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { wait } from '../../time.js';
import type { RedisClient } from './RedisClient.js';

/** A connection to Redis of one's own. */
export interface RedisConnection {
  /** Client for `sharedLimiter`; it reconnects by itself. */
  readonly client: RedisClient;
  /** Lets sent commands arrive, for 250 ms at most, and ends the connection. Never rejects. */
  readonly close: () => Promise<void>;
}

/** Imports of the optional peers; specs replace them. */
export interface RedisImports {
  readonly redis: () => Promise<{ readonly createClient: (options: NodeRedisOptions) => NodeRedis }>;
  readonly ioredis: () => Promise<IoredisModule>;
}

/** The package ioredis exports its class by name from version 5 on; version 4 is that class. */
type IoredisModule = { readonly Redis: IoredisClass } | { readonly default: IoredisClass };
type IoredisClass = new (url: string, options: IoredisOptions) => Ioredis;

interface NodeRedisOptions {
  url: string;
  socket: { reconnectStrategy: (retries: number) => number };
}

interface IoredisOptions {
  disconnectTimeout: number;
}

type Connecting = { on(event: 'error', listener: () => void): unknown } & RedisClient;
/** Version 5 and later have `close` and `destroy`, version 4 `quit` and `disconnect`. */
type NodeRedis = Connecting & { connect(): Promise<unknown> } & (
    { close(): Promise<unknown>; destroy(): void } | { quit(): Promise<unknown>; disconnect(): Promise<void> }
  );
type Ioredis = Connecting & { quit(): Promise<unknown>; disconnect(): void };

// Bundlers leave an import for run time whose failure is caught right here.
const INSTALLED: RedisImports = { redis: () => import('redis').catch(rethrow), ioredis: () => import('ioredis').catch(rethrow) };

/** Time, in ms, for which opening waits for the connection, and closing for Redis to take sent commands. */
const CONNECT_TIMEOUT = 1000;
const CLOSE_TIMEOUT = 250;
/** Longest wait before the next try to connect, in ms: `redis` waits it out even when it is closed. */
const RECONNECT = 250;

/**
 * Opens a connection to Redis by the installed package, `redis` or `ioredis`.
 *
 * It waits for the connection for 1 s at most: while Redis cannot be reached a `sharedLimiter` goes on without it, and the connection is
 * tried again. So failures of the connection never surface here; `sharedLimiter` reports them to its `notify`.
 *
 * @param url `redis://` or `rediss://`, with user and password where they are needed; no message repeats it
 * @throws UsageError (as a rejection) if `url` is none, or neither package is installed
 *
 * @example
 * const { client, close } = await connectRedis(process.env.COLDFETCH_REDIS ?? '');
 * const limiter = sharedLimiter({ client });
 */
export async function connectRedis(url: string, imports: RedisImports = INSTALLED): Promise<RedisConnection> {
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol)) throw notUsable();
  return (await byNodeRedis(url, imports)) ?? (await byIoredis(url, imports)) ?? notInstalled();
}

async function byNodeRedis(url: string, imports: RedisImports): Promise<RedisConnection | undefined> {
  const redis = await ifInstalled(imports.redis);
  if (!redis) return undefined;
  // Version 3 has callbacks where the others have promises, and no clusters.
  if (!('createCluster' in redis)) throw new UsageError('coldfetch/redis needs redis 4 or later: npm install redis@latest');
  const client = made(() =>
    redis.createClient({ url, socket: { reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, RECONNECT) } }),
  );
  client.on('error', () => undefined);
  await briefly(client.connect(), CONNECT_TIMEOUT);
  return {
    client,
    close: async () => {
      await briefly('close' in client ? client.close() : client.quit(), CLOSE_TIMEOUT);
      // A connection that has ended throws.
      await briefly(
        Promise.resolve().then(() => ('destroy' in client ? client.destroy() : client.disconnect())),
        CLOSE_TIMEOUT,
      );
    },
  };
}

async function byIoredis(url: string, imports: RedisImports): Promise<RedisConnection | undefined> {
  const ioredis = await ifInstalled(imports.ioredis);
  if (!ioredis) return undefined;
  const Redis = 'Redis' in ioredis ? ioredis.Redis : ioredis.default;
  const client = made(() => new Redis(url, { disconnectTimeout: CLOSE_TIMEOUT }));
  client.on('error', () => undefined);
  await briefly(client.ping(), CONNECT_TIMEOUT);
  return {
    client,
    close: async () => {
      await briefly(client.quit(), CLOSE_TIMEOUT);
      client.disconnect();
    },
  };
}

/** Messages of the packages about an unreadable URL may repeat the URL. */
function made<T>(make: () => T): T {
  try {
    return make();
  } catch {
    throw notUsable();
  }
}

function notUsable(): UsageError {
  return new UsageError(
    'The Redis URL is none: give one such as redis://localhost:6379 (what you gave may hold a password, so it is not shown)',
  );
}

function notInstalled(): never {
  throw new UsageError('coldfetch/redis needs a client package that is not installed: npm install redis (or ioredis)');
}

async function ifInstalled<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}

/** Waits for `work` to settle in any way, for `ms` at most. */
async function briefly(work: Promise<unknown>, ms: number): Promise<void> {
  await firstValueFrom(race(from(work).pipe(catchError(() => of(undefined))), wait(ms)), { defaultValue: undefined });
}
