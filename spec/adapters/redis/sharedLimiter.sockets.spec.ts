import { firstValueFrom, merge, take, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { sharedLimiter } from 'coldfetch/redis';
import { UsageError } from 'coldfetch';
import { acquire } from '../../../src/pace/acquire.js';
import { elapsed } from '../../../src/time.js';
import { EARLY } from '../../support/early.js';
import { needsRedis } from '../../support/needs.js';
import { faultAfter, ioredis, limiterOf, nodeRedis, quotaServer, redis, type Send, work } from './workload.js';

/** Milliseconds of a window of most servers here. */
const WINDOW = 2000;
const ASK = { url: 'https://api.test/' };
/** Silence of Redis for specs that are not about it: a busy machine may need more than 50 ms for anything. */
const PATIENT = { silence: 60_000 };

/** Four clients, each with a connection of its own. */
async function four(url: string, options = {}) {
  const clients = await Promise.all([1, 2, 3, 4].map(async () => limiterOf(await nodeRedis(url), options)));
  return {
    limiters: clients.map(({ limiter }) => limiter),
    told: () => clients.map(({ events }) => events),
    /** Sends more by those who do not share again: who was ahead of the others may be done before Redis is back. */
    sendUntilShared: async (send$: Send) => {
      for (const { limiter, events } of clients) while (events.length < 2) await work([limiter], send$, 1);
    },
    /** True if some share again at a moment while others may not yet: each comes back when its connection does. */
    isReturning: (at: number) => {
      const returns = clients.flatMap((client) => client.returns);
      return at >= Math.min(...returns) && at <= Math.max(...returns) + WINDOW;
    },
    /** Requests by which the clients' parts of a quota together can exceed it: none, if all knew of each other. */
    excessOf: (quota: number) =>
      Math.max(
        0,
        clients.reduce((sum, { parts }) => sum + Math.floor(quota / Math.min(...parts)), -quota),
      ),
  };
}

needsRedis('sharedLimiter', () => {
  it.each([
    ['redis', nodeRedis],
    ['ioredis', ioredis],
  ])('keeps clients of the package %s together within the quota', async (_name, connect) => {
    const { url } = await redis();
    const server = quotaServer(20, WINDOW);
    const clients = [limiterOf(await connect(url), PATIENT), limiterOf(await connect(url), PATIENT)];
    await work(
      clients.map(({ limiter }) => limiter),
      server.send$(),
      20,
    );
    expect(server.rejected).toBe(0);
    expect(server.hits).toHaveLength(40);
  });

  it('goes on after SCRIPT FLUSH', async () => {
    const { url } = await redis();
    const server = quotaServer(40, WINDOW);
    const admin = await nodeRedis(url);
    const { limiters, told } = await four(url, PATIENT);
    const send$ = faultAfter(10, server.send$(), () => void admin.scriptFlush());
    await work(limiters, send$, 15);
    expect(server.rejected).toBe(0);
    expect(server.hits).toHaveLength(60);
    expect(told()).toEqual([[], [], [], []]);
  });

  // All are told how many they are: a busy machine may keep one from hearing Redis at all before the fault.
  // The bound: in the window of the fault each client's view of what remains is older than the leases that the others have taken since, 10
  // each; the windows that begin without Redis, and those in which all share again, are not exceeded at all.
  it('keeps to its part while Redis is silent for 10 s, and shares again', async () => {
    const server = await redis();
    const api = quotaServer(20, WINDOW);
    const { limiters, told, sendUntilShared, isReturning, excessOf } = await four(server.url, { clients: 4 });
    let paused = Infinity;
    const send$ = faultAfter(24, api.send$(), () => {
      server.pause();
      paused = elapsed();
      setTimeout(() => server.resume(), 10_000);
    });
    await work(limiters, send$, 40);
    await sendUntilShared(send$);
    for (const events of told()) expect(events.slice(0, 2)).toEqual(['local', 'shared']);
    const late = api.hits.filter(({ sent, status }) => status === 429 && sent > paused + WINDOW && !isReturning(sent));
    // A client that a busy machine keeps from asking for a window is not counted by the others.
    expect(late.length).toBeLessThanOrEqual(6 * excessOf(20));
    expect(api.rejected).toBeLessThanOrEqual(30);
  });

  it('keeps to its part when Redis dies, and shares again with the empty one that starts in its place', async () => {
    const server = await redis();
    const api = quotaServer(20, WINDOW);
    const { limiters, told, sendUntilShared, isReturning, excessOf } = await four(server.url, { clients: 4 });
    let died = Infinity;
    const send$ = faultAfter(24, api.send$(), () => {
      died = elapsed();
      void server.stop().then(() => setTimeout(() => void redis(server.port), 1500));
    });
    await work(limiters, send$, 40);
    await sendUntilShared(send$);
    for (const events of told()) expect(events.slice(0, 2)).toEqual(['local', 'shared']);
    const late = api.hits.filter(({ sent, status }) => status === 429 && sent > died + WINDOW && !isReturning(sent));
    expect(late.length).toBeLessThanOrEqual(6 * excessOf(20));
    expect(api.rejected).toBeLessThanOrEqual(30);
  });

  it('takes the ten permits of a killed holder for spent, until the window ends', async () => {
    const { url } = await redis();
    const api = quotaServer(20, 10_000);
    const client = await nodeRedis(url);
    const { limiter } = limiterOf(client, PATIENT);
    await work([limiter], api.send$(), 1);
    // Ten asks, one lease; then the connection breaks, and nobody gives anything back.
    const holder = await nodeRedis(url);
    const held = sharedLimiter({ client: holder, ...PATIENT });
    await firstValueFrom(merge(...Array.from({ length: 10 }, () => acquire(held, ASK))).pipe(take(10), toArray()));
    const [account = ''] = await client.keys('*:account');
    const spent = Number(await client.hGet(account, 'used'));
    expect(spent).toBeGreaterThanOrEqual(11);
    holder.destroy();
    await work([limiter], api.send$(), 19);
    const began = api.hits[0]?.sent ?? 0;
    expect(api.hits.filter(({ sent }) => sent < began + 10_000)).toHaveLength(1 + 20 - spent);
    expect(api.hits).toHaveLength(20);
    expect(api.rejected).toBe(0);
  });

  it('gives an ask its permit 50 ms after Redis has fallen silent', async () => {
    const server = await redis();
    const { limiter, events } = limiterOf(await nodeRedis(server.url));
    server.pause();
    const asked = elapsed();
    // Redis stays silent: the limiter alone ends the wait.
    await firstValueFrom(acquire(limiter, ASK));
    expect(elapsed() - asked).toBeGreaterThanOrEqual(50 - EARLY);
    server.resume();
    expect(events).toEqual(['local']);
  });

  it('leaves no key behind after 1,000 clients that came once', async () => {
    const { url } = await redis();
    const client = await nodeRedis(url);
    const api = quotaServer(600, WINDOW);
    for (let come = 0; come < 1000; come += 100) {
      const limiters = Array.from({ length: 100 }, () => sharedLimiter({ client, ...PATIENT }));
      await work(limiters, api.send$(), 1);
    }
    expect(api.rejected).toBe(0);
    const keys = await client.keys('*');
    expect(keys.length).toBeLessThanOrEqual(3);
    for (const key of keys) {
      expect(key).toMatch(/^coldfetch:\{[\w-]{43}\}:(account|clients|leases)$/);
      // -1 would be a key that never expires; one that has expired meanwhile has -2.
      const life = await client.pTTL(key);
      expect(life).not.toBe(-1);
      expect(life).toBeLessThanOrEqual(5000);
    }
    await expect.poll(() => client.dbSize()).toBe(0);
  });
});

describe('sharedLimiter without Redis', () => {
  it.each([
    [{ client: {} }, 'client'],
    [{ client: new Map() }, 'client'],
    // Version 3 of the package redis: the same names, with callbacks.
    [{ client: { ping: () => true, eval: () => true, evalsha: () => true, internal_send_command: () => true } }, 'client'],
    [{ quota: 0 }, 'quota'],
    [{ window: -1 }, 'window'],
    [{ clients: NaN }, 'clients'],
    [{ silence: 0 }, 'silence'],
  ])('refuses %o', (options, name) => {
    const client = { ping: async () => '', eval: async () => '', evalsha: async () => '' };
    const make = () => sharedLimiter({ client, ...options } as Parameters<typeof sharedLimiter>[0]);
    expect(make).toThrow(UsageError);
    expect(make).toThrow(`sharedLimiter: ${name} is`);
  });
});
