import { Redis } from 'ioredis';
import { defer, from, lastValueFrom, map, merge, mergeMap, type Observable, repeat, takeWhile } from 'rxjs';
import { createClient } from 'redis';
import { onTestFinished } from 'vitest';
import { type RedisClient, sharedLimiter, type SharedLimiter, type SharedLimiterEvent, type SharedLimiterOptions } from 'coldfetch/redis';
import { limitWith } from '../../../src/pace/limitWith.js';
import { fixedWindow } from '../../../src/simulate/servers.js';
import { elapsed, wait } from '../../../src/time.js';
import { type RedisServer, startRedis } from '../../support/redis.js';

/** A Redis that ends with the spec. */
export async function redis(port?: number): Promise<RedisServer> {
  const server = await startRedis(port);
  onTestFinished(() => server.stop());
  return server;
}

/** A client of the package `redis`, connected, that ends with the spec. */
export async function nodeRedis(url: string) {
  const client = createClient({ url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.destroy());
  return client;
}

/** A client of the package `ioredis`, connected, that ends with the spec. */
export async function ioredis(url: string) {
  const client = new Redis(url);
  client.on('error', () => undefined);
  await client.ping();
  onTestFinished(() => client.disconnect());
  return client;
}

/** A limiter that ends with the spec, what it has told, how many clients it knew of when it went on alone, and when it shared again. */
export function limiterOf(client: RedisClient, options: Partial<SharedLimiterOptions> = {}) {
  const events: SharedLimiterEvent['type'][] = [];
  const parts: number[] = [];
  const returns: number[] = [];
  const notify = (event: SharedLimiterEvent): void => {
    events.push(event.type);
    if (event.type === 'local') parts.push(event.clients);
    else returns.push(elapsed());
  };
  const limiter = sharedLimiter({ client, ...options, notify });
  onTestFinished(() => limiter.close());
  return { limiter, events, parts, returns };
}

/** A request that has reached the server. */
export interface Hit {
  readonly sent: number;
  readonly status: number;
}

/** A server with a quota, in this process, and the requests it has seen. */
export function quotaServer(limit: number, window: number) {
  const server = fixedWindow({ limit, window });
  const hits: Hit[] = [];
  const send$ = (latency = 5): Observable<{ readonly status: number; readonly headers: Headers }> =>
    defer(() => {
      const { status, headers } = server(elapsed());
      hits.push({ sent: elapsed(), status });
      return wait(latency).pipe(map(() => ({ status, headers: new Headers(headers) })));
    });
  return {
    hits,
    send$,
    get rejected() {
      return hits.filter(({ status }) => status === 429).length;
    },
  };
}

/** Answer of a server. */
export type Send = Observable<{ readonly status: number }>;

/** Each of the limiters sends `count` requests, `atOnce` at a time, each again until it passes. */
export async function work(limiters: readonly SharedLimiter[], send$: Send, count: number, atOnce = 5): Promise<void> {
  const one$ = (limiter: SharedLimiter) =>
    send$.pipe(
      limitWith(limiter, { url: 'https://api.test/' }),
      repeat(),
      takeWhile(({ status }) => status === 429),
    );
  const all$ = merge(...limiters.map((limiter) => from(Array(count).keys()).pipe(mergeMap(() => one$(limiter), atOnce))));
  await lastValueFrom(all$, { defaultValue: undefined });
}

/** Runs `fault` before the request after the first `count`. */
export function faultAfter(count: number, send$: Send, fault: () => void): Send {
  let left = count;
  return defer(() => {
    if (left-- === 0) fault();
    return send$;
  });
}
