import { sharedConcurrency } from 'coldfetch/redis';
import { UsageError } from 'coldfetch';
import { defer, firstValueFrom, from, lastValueFrom, merge, mergeMap, Subscription, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { acquire } from '../../../src/pace/acquire.js';
import { limitWith } from '../../../src/pace/limitWith.js';
import { elapsed, wait } from '../../../src/time.js';
import { needsRedis } from '../../support/needs.js';
import { nodeRedis, redis } from './workload.js';

const PATIENT = { silence: 5000 };

/** A limiter of a client of its own, for five in all. */
async function five(url: string, options = {}) {
  return sharedConcurrency({ client: await nodeRedis(url), max: 5, ...PATIENT, ...options });
}

needsRedis('sharedConcurrency', () => {
  it('never has more in flight than that, of all clients together, and leaves no key', async () => {
    const { url } = await redis();
    const limiters = [await five(url), await five(url), await five(url)];
    let inFlight = 0;
    let most = 0;
    const work$ = defer(() => {
      most = Math.max(most, ++inFlight);
      return wait(10).pipe(tap({ complete: () => inFlight-- }));
    });
    const all$ = merge(...limiters.map((limiter) => from(Array(20).keys()).pipe(mergeMap(() => work$.pipe(limitWith(limiter)), 10))));
    await lastValueFrom(all$);
    expect(most).toBeLessThanOrEqual(5);
    expect(most).toBeGreaterThanOrEqual(3);
    const admin = await nodeRedis(url);
    await expect.poll(() => admin.dbSize()).toBe(0);
  });

  it('frees what a client held that died, by the clock of Redis', async () => {
    const { url } = await redis();
    const client = await nodeRedis(url);
    const dead = sharedConcurrency({ client, max: 5, ...PATIENT, life: 1000 });
    const holding = new Subscription();
    for (let i = 0; i < 5; i++) holding.add(acquire(dead).subscribe());
    const admin = await nodeRedis(url);
    await expect.poll(async () => admin.zCard((await admin.keys('*:slots'))[0] ?? '')).toBe(5);
    client.destroy();
    const began = elapsed();
    await firstValueFrom(acquire(await five(url)));
    expect(elapsed() - began).toBeGreaterThan(300);
    expect(elapsed() - began).toBeLessThan(5000);
    holding.unsubscribe();
  });

  it('goes on with its own part when Redis is silent', async () => {
    const server = await redis();
    const limiter = await five(server.url, { silence: 50, clients: 2 });
    server.pause();
    const holding = new Subscription();
    let granted = 0;
    for (let i = 0; i < 5; i++) holding.add(acquire(limiter).subscribe(() => granted++));
    await expect.poll(() => granted).toBe(2);
    holding.unsubscribe();
    server.resume();
    limiter.close();
  });
});

describe('sharedConcurrency without Redis', () => {
  it.each([{ client: {} }, { max: 0 }, { max: 2.5 }, { life: NaN }])('refuses %o', (options) => {
    const client = { ping: async () => '', eval: async () => '', evalsha: async () => '' };
    expect(() => sharedConcurrency({ client, max: 5, ...options } as Parameters<typeof sharedConcurrency>[0])).toThrow(UsageError);
  });
});
