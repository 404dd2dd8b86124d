import { firstValueFrom } from 'rxjs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LeaseRequest, Ledger } from '../../../src/adapters/redis/Ledger.js';
import { LocalLedger } from '../../../src/adapters/redis/LocalLedger.js';
import { commandsOf } from '../../../src/adapters/redis/RedisClient.js';
import { RedisLedger } from '../../../src/adapters/redis/RedisLedger.js';
import { elapsed } from '../../../src/time.js';
import { needsRedis } from '../../support/needs.js';
import { type RedisServer, startRedis } from '../../support/redis.js';
import { lossyProxy } from './lossyProxy.js';
import { ioredis, nodeRedis } from './workload.js';

let calls = 0;

async function lease(ledger: Ledger, need: number, more: Partial<LeaseRequest> = {}) {
  const ask = { client: 'a', call: ++calls, need, unsent: 0, windowId: 0, margin: 1000, probeTimeout: 60_000, ...more };
  return firstValueFrom(ledger.lease(ask));
}

const OPENED = { sentAgo: 0, quota: 30, window: 60_000, remaining: 29, endsIn: 60_000 };

/** Opens the window, as the first answer does. */
async function open(ledger: Ledger): Promise<void> {
  const look = await lease(ledger, 5);
  expect(look).toMatchObject({ granted: 1, opening: true });
  await firstValueFrom(ledger.learn(OPENED));
}

/** Behaviour that both ledgers share, so that the one in virtual time can take the place of Redis. */
function sharesBehaviour(make: () => Promise<Ledger>): void {
  it('lets one request look, and the others wait for its answer', async () => {
    const ledger = await make();
    await lease(ledger, 5);
    const second = await lease(ledger, 5);
    expect(second).toMatchObject({ granted: 0, opening: false });
    expect(second.retryIn).toBeGreaterThanOrEqual(25);
    expect(second.retryIn).toBeLessThanOrEqual(250);
  });

  it('lets another look if the first has died', async () => {
    const ledger = await make();
    await lease(ledger, 5);
    await firstValueFrom(ledger.learn({ sentAgo: 0, lost: true }));
    expect(await lease(ledger, 5)).toMatchObject({ granted: 1, opening: true });
  });

  it('leases ten at most, then what is left', async () => {
    const ledger = await make();
    await open(ledger);
    expect(await lease(ledger, 50)).toMatchObject({ granted: 10, quota: 30, window: 60_000, remaining: 19 });
    expect(await lease(ledger, 3)).toMatchObject({ granted: 3, remaining: 16 });
    expect(await lease(ledger, 50)).toMatchObject({ granted: 10 });
    expect(await lease(ledger, 50)).toMatchObject({ granted: 6, remaining: 0 });
    expect(await lease(ledger, 50)).toMatchObject({ granted: 0 });
  });

  it('takes back what was not sent, of this window only', async () => {
    const ledger = await make();
    await open(ledger);
    const { windowId } = await lease(ledger, 10);
    expect(await lease(ledger, 0, { unsent: 4, windowId })).toMatchObject({ granted: 0, remaining: 23 });
    expect(await lease(ledger, 0, { unsent: 4, windowId: windowId - 1 })).toMatchObject({ remaining: 23 });
  });

  it('counts what others have used, and never less than before', async () => {
    const ledger = await make();
    await open(ledger);
    await firstValueFrom(ledger.learn({ ...OPENED, remaining: 5 }));
    await firstValueFrom(ledger.learn({ ...OPENED, remaining: 20 }));
    expect(await lease(ledger, 50)).toMatchObject({ granted: 5, remaining: 0 });
  });

  it('leases nothing that would be void when it arrives', async () => {
    const ledger = await make();
    await lease(ledger, 5);
    await firstValueFrom(ledger.learn({ ...OPENED, endsIn: 40_000 }));
    const late = await lease(ledger, 5, { margin: 50_000 });
    expect(late).toMatchObject({ granted: 0 });
    expect(late.retryIn).toBeGreaterThan(10_000);
    expect(late.retryIn).toBeLessThanOrEqual(40_000);
  });

  it('closes for everybody by a 429, and later ones only close it longer', async () => {
    const ledger = await make();
    await open(ledger);
    await firstValueFrom(ledger.learn({ sentAgo: 0, hint: 90_000 }));
    await firstValueFrom(ledger.learn({ sentAgo: 0, hint: 30_000 }));
    const closed = await lease(ledger, 5);
    expect(closed.granted).toBe(0);
    expect(closed.retryIn).toBeGreaterThan(50_000);
  });

  it('does not learn of this window from an answer to the last', async () => {
    const ledger = await make();
    await open(ledger);
    await firstValueFrom(ledger.learn({ ...OPENED, sentAgo: 10_000, remaining: 0, endsIn: 1000 }));
    expect(await lease(ledger, 50)).toMatchObject({ granted: 10 });
  });
}

needsRedis('RedisLedger', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
    return () => server.stop();
  });
  const make = async (configured = {}): Promise<RedisLedger> =>
    new RedisLedger(commandsOf(await nodeRedis(server.url)), `key ${++calls}`, configured);
  sharesBehaviour(() => make());

  it('divides what is left by the clients that want it', async () => {
    const ledger = await make();
    await open(ledger);
    for (const client of ['b', 'c', 'd', 'e']) await lease(ledger, 1, { client });
    expect(await lease(ledger, 50)).toMatchObject({ granted: 5, clients: 5 });
    await lease(ledger, 0, { client: 'b', leaves: true });
    expect(await lease(ledger, 50)).toMatchObject({ granted: 5, clients: 4 });
  });

  it('begins anew where the clock of Redis has been set back by an hour', async () => {
    const client = await nodeRedis(server.url);
    const key = `key ${++calls}`;
    const ledger = new RedisLedger(commandsOf(client), key, {});
    await open(ledger);
    const account = `${key}:account`;
    const later = async (field: string): Promise<string> => String(Number(await client.hGet(account, field)) + 3_600_000);
    await client.hSet(account, { opened: await later('opened'), ends: await later('ends'), used: '30', seen: '30' });
    expect(await lease(ledger, 5)).toMatchObject({ granted: 1, opening: true, quota: 30, window: 60_000 });
    await firstValueFrom(ledger.learn({ ...OPENED, remaining: 12 }));
    expect(await lease(ledger, 50)).toMatchObject({ granted: 10, remaining: 2 });
  });

  it('takes nothing twice for a call that is sent again', async () => {
    const ledger = await make();
    await open(ledger);
    const { windowId } = await lease(ledger, 10);
    const again = { call: ++calls, unsent: 2, windowId };
    expect(await lease(ledger, 4, again)).toMatchObject({ granted: 4, remaining: 17 });
    expect(await lease(ledger, 4, again)).toMatchObject({ granted: 4, remaining: 17 });
  });

  it('takes what is configured for as long as nothing is announced', async () => {
    const ledger = await make({ quota: 3, window: 60_000 });
    await lease(ledger, 5);
    await firstValueFrom(ledger.learn({ sentAgo: 0 }));
    expect(await lease(ledger, 5)).toMatchObject({ granted: 2, quota: 3, window: 60_000, remaining: 0 });
  });

  it.each([
    ['redis', nodeRedis],
    ['ioredis', ioredis],
  ])('takes nothing twice when the package %s loses the connection between command and reply', async (_name, connect) => {
    const proxy = await lossyProxy(server.port);
    const ledger = new RedisLedger(commandsOf(await connect(proxy.url)), `key ${++calls}`, {});
    await open(ledger);
    proxy.lose('lose-me');
    expect(await lease(ledger, 7, { client: 'lose-me' })).toMatchObject({ granted: 7, remaining: 22 });
    expect(proxy.lost).toBe(1);
  });
});

describe('LocalLedger', () => {
  sharesBehaviour(async () => new LocalLedger({}, 1, () => 0));

  it('takes its part of what was last known to remain', async () => {
    const ledger = new LocalLedger({ quota: 30, window: 60_000, remaining: 14, ends: elapsed() + 30_000 }, 4, () => 0);
    expect(await lease(ledger, 10)).toMatchObject({ granted: 3, opening: false });
    expect(await lease(ledger, 10)).toMatchObject({ granted: 0 });
  });

  it('takes its part of the quota from the next window on, rounded down', async () => {
    const ledger = new LocalLedger({ quota: 30, window: 60_000, remaining: 14, ends: elapsed() - 1 }, 4, () => 0);
    expect(await lease(ledger, 10)).toMatchObject({ granted: 1, opening: true });
    await firstValueFrom(ledger.learn(OPENED));
    expect(await lease(ledger, 10)).toMatchObject({ granted: 6 });
    expect(await lease(ledger, 10)).toMatchObject({ granted: 0 });
  });

  it.each([
    [0.49, 1],
    [0.51, 0],
  ])('takes one by chance where there are more clients than requests: %d gives %i', async (draw, granted) => {
    const ledger = new LocalLedger({ quota: 2, window: 60_000 }, 4, () => draw);
    expect(await lease(ledger, 10)).toMatchObject({ granted });
  });
});
