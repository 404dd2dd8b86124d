import { sharedConcurrency } from 'coldfetch/redis';
import { UsageError } from 'coldfetch';
import { defer, firstValueFrom, from, lastValueFrom, merge, mergeMap, ReplaySubject, Subscription, switchMap, take, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { acquire } from '../../../src/pace/acquire.js';
import { limitWith } from '../../../src/pace/limitWith.js';
import { wait } from '../../../src/time.js';
import { needsRedis } from '../../support/needs.js';
import { nodeRedis, redis } from './workload.js';

const PATIENT = { silence: 60_000 };

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
    const reached$ = new ReplaySubject<void>(1);
    const work$ = defer(() => {
      most = Math.max(most, ++inFlight);
      if (most === 5) reached$.next();
      // None ends before five are in flight: a busy machine may hand out permits more slowly than the work takes.
      return reached$.pipe(
        take(1),
        switchMap(() => wait(10)),
        tap({ complete: () => inFlight-- }),
      );
    });
    const all$ = merge(...limiters.map((limiter) => from(Array(20).keys()).pipe(mergeMap(() => work$.pipe(limitWith(limiter)), 10))));
    await lastValueFrom(all$);
    expect(most).toBe(5);
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
    const [slots = ''] = await admin.keys('*:slots');
    const ends = Math.max(...(await admin.zRangeWithScores(slots, 0, -1)).map(({ score }) => score));
    await firstValueFrom(acquire(await five(url)));
    const [seconds, microseconds] = await admin.time();
    expect(Number(seconds) * 1000 + Number(microseconds) / 1000).toBeGreaterThanOrEqual(ends);
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
