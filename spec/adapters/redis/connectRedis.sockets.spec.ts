import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { firstValueFrom } from 'rxjs';
import { UsageError } from 'coldfetch';
import { connectRedis, sharedLimiter, type SharedLimiterEvent } from 'coldfetch/redis';
import { describe, expect, it } from 'vitest';
import type { RedisImports } from '../../../src/adapters/redis/connectRedis.js';
import { acquire } from '../../../src/pace/acquire.js';
import { needsRedis } from '../../support/needs.js';
import { nodeRedis, redis } from './workload.js';

const missing = async (): Promise<never> => {
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
};
const packages = {
  redis: { redis: () => import('redis'), ioredis: missing } as RedisImports,
  ioredis: { redis: missing, ioredis: () => import('ioredis') } as RedisImports,
};

const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

describe('connectRedis', () => {
  it('does not repeat a URL that is none, for it may hold a password', async () => {
    for (const url of ['', 'secret', 'http://user:secret@host']) {
      const failure: unknown = await connectRedis(url).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(UsageError);
      expect(String(failure)).not.toContain('secret');
    }
  });

  it.each(['redis', 'ioredis'] as const)('does not repeat a URL that the package %s cannot read', async (name) => {
    const failure: unknown = await connectRedis('redis://me:secret%zz@127.0.0.1:1', packages[name]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain('secret');
  });

  it('says what to install where there is no package', async () => {
    await expect(connectRedis('redis://127.0.0.1:1', { redis: missing, ioredis: missing })).rejects.toThrow('npm install redis');
  });

  it('says which version to install where the package is too old for promises', async () => {
    const old = { redis: async () => ({ createClient: () => expect.unreachable() }), ioredis: missing } as RedisImports;
    await expect(connectRedis('redis://127.0.0.1:1', old)).rejects.toThrow('npm install redis@latest');
  });

  it.each(['redis', 'ioredis'] as const)('goes on without a Redis that cannot be reached, by the package %s', async (name) => {
    const { client, close } = await connectRedis('redis://127.0.0.1:1', packages[name]);
    const told: string[] = [];
    const limiter = sharedLimiter({ client, notify: ({ type }) => told.push(type) });
    await firstValueFrom(acquire(limiter, { url: 'https://api.test/' }));
    expect(told).toEqual(['local']);
    limiter.close();
    await close();
  });
});

needsRedis('connectRedis to a Redis', () => {
  it.each(['redis', 'ioredis'] as const)('keeps no process alive when Redis has died, by the package %s', async (name) => {
    const server = await redis();
    const before = timers();
    const { client, close } = await connectRedis(server.url, packages[name]);
    const limiter = sharedLimiter({ client });
    await firstValueFrom(acquire(limiter, { url: 'https://api.test/' }));
    await server.stop();
    // The time between its tries to connect has grown.
    await delay(1500);
    limiter.close();
    await close();
    await expect.poll(timers).toBeLessThanOrEqual(before);
  });

  it.each(['redis', 'ioredis'] as const)('shows no password that is wrong, by the package %s', async (name) => {
    const server = await redis();
    const admin = await nodeRedis(server.url);
    await admin.configSet('requirepass', 'right');
    const { client, close } = await connectRedis(server.url.replace('//', '//:secret@'), packages[name]);
    const told: SharedLimiterEvent[] = [];
    const limiter = sharedLimiter({ client, notify: (event) => told.push(event) });
    await firstValueFrom(acquire(limiter, { url: 'https://api.test/' }));
    limiter.close();
    await close();
    expect(told).toMatchObject([{ type: 'local' }]);
    expect(inspect(told, { depth: 10, showHidden: true })).not.toContain('secret');
  });

  it.each(['redis', 'ioredis'] as const)('gives a client of the package %s that shares, and says goodbye', async (name) => {
    const server = await redis();
    const { client, close } = await connectRedis(server.url, packages[name]);
    const limiter = sharedLimiter({ client, silence: 5000 });
    await firstValueFrom(acquire(limiter, { url: 'https://api.test/' }));
    limiter.close();
    await close();
    expect(await (await nodeRedis(server.url)).keys('*:clients')).toEqual([]);
  });
});
