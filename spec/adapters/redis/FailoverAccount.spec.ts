import { delay, NEVER, type Observable, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type DatedLease, FailoverAccount, type FailoverParts, type LeaseNeed } from '../../../src/adapters/redis/FailoverAccount.js';
import type { Lease, LeaseRequest, Ledger } from '../../../src/adapters/redis/Ledger.js';
import { RedisWatch } from '../../../src/adapters/redis/RedisWatch.js';
import { virtualTime } from '../../../src/simulate/virtualTime.js';
import { elapsed, wait } from '../../../src/time.js';

const WISH: LeaseNeed = { need: 10, unsent: 0, windowId: 0, margin: 0, probeTimeout: 1000 };
const LEASE: Lease = {
  granted: 10,
  windowId: 7,
  opening: false,
  retryIn: 0,
  endsIn: 60_000,
  quota: 30,
  window: 60_000,
  remaining: 12,
  clients: 3,
};

/** A shared account that answers each call as told, and notes what it was asked. */
function answering(answer: (n: number, ask: LeaseRequest) => Observable<Lease>): Ledger & { readonly asks: LeaseRequest[] } {
  const asks: LeaseRequest[] = [];
  return { asks, learn: () => of(undefined), lease: (ask) => answer(asks.push(ask), ask) };
}

/** A ping that is answered at once: promises do not settle in virtual time. */
const pong = () => ({ then: (answered: (reply: string) => void) => answered('PONG') }) as Promise<string>;

function accountOf(ledger: Ledger, more: Partial<FailoverParts> = {}): FailoverAccount {
  return new FailoverAccount({
    ledger,
    watch: new RedisWatch(pong),
    client: 'me',
    origin: 'https://api.test',
    clients: 1,
    configured: {},
    silence: 50,
    random: () => 0.5,
    notify: () => undefined,
    ...more,
  });
}

/** Leases for a list of wishes, one at each moment of a virtual time from 0. */
function played(account: FailoverAccount, ...moments: readonly number[]): DatedLease[] {
  const all: DatedLease[] = [];
  virtualTime(() => {
    for (const at of moments) wait(at).subscribe(() => account.lease(WISH).subscribe((lease) => all.push(lease)));
  });
  return all;
}

describe('FailoverAccount', () => {
  it('signs its calls, and dates what it is given', () => {
    const ledger = answering(() => of(LEASE));
    const given = played(accountOf(ledger), 5, 6);
    expect(given.map(({ ends }) => ends)).toEqual([60_005, 60_006]);
    expect(ledger.asks).toMatchObject([
      { client: 'me', call: 1 },
      { client: 'me', call: 2 },
    ]);
  });

  it('gives back what comes after it has gone on without', () => {
    const ledger = answering((n) => (n === 1 ? of(LEASE).pipe(delay(80)) : NEVER));
    expect(played(accountOf(ledger), 0)).toMatchObject([{ granted: 1, opening: true }]);
    expect(ledger.asks.slice(1)).toMatchObject([{ call: 3, need: 0, unsent: 10, windowId: 7 }]);
  });

  it('gives back what is still under way when it is not wanted any more', () => {
    const ledger = answering(() => of(LEASE).pipe(delay(20)));
    const end = virtualTime(() => {
      const asking = accountOf(ledger).lease(WISH).subscribe();
      wait(10).subscribe(() => asking.unsubscribe());
    });
    expect(ledger.asks.slice(1)).toMatchObject([{ need: 0, unsent: 10, windowId: 7 }]);
    expect(end).toBeLessThan(50);
  });

  it('has its part of what was last known, then of the whole, and no more in the window in which it returns', () => {
    const told: [number, string][] = [];
    const ledger = answering((n, { need }) =>
      n === 2 ? throwError(() => 'gone') : of({ ...LEASE, granted: Math.min(need, 10), endsIn: 60_000 - (elapsed() % 60_000) }),
    );
    const account = accountOf(ledger, { notify: ({ type }) => told.push([elapsed(), type]) });
    const given = played(account, 0, 1000, 2000, 61_000, 62_000, 63_000, 121_000);
    expect(given.map(({ granted }) => granted)).toEqual([10, 4, 0, 10, 0, 0, 10]);
    expect(told).toEqual([
      [1000, 'local'],
      [61_000, 'shared'],
    ]);
  });

  it('keeps what it knew of the window where Redis has started empty', () => {
    const empty = { ...LEASE, granted: 1, opening: true, quota: undefined, window: undefined, remaining: undefined, clients: 1 };
    const ledger = answering((n) => of(n === 1 ? LEASE : empty));
    const account = accountOf(ledger);
    played(account, 0, 1000);
    expect(account.state).toMatchObject({ quota: 30, window: 60_000, remaining: 12, ends: 60_000 });
  });

  it('is not put off by what failed in an earlier window', () => {
    const told: string[] = [];
    const ledger: Ledger = { lease: () => of({ ...LEASE, endsIn: 1000 }), learn: () => throwError(() => 'lost') };
    const account = accountOf(ledger, { notify: ({ type }) => told.push(type) });
    played(account, 0);
    virtualTime(() => account.learn({ sentAgo: 5, remaining: 20 }, 7));
    played(account, 5000);
    expect(told).toEqual([]);
  });

  it('learns of this window only from its own answers', () => {
    const account = accountOf(answering(() => of(LEASE)));
    played(account, 0);
    virtualTime(() => account.learn({ sentAgo: 90_000, remaining: 0, endsIn: 0 }, 6));
    expect(account.state).toMatchObject({ remaining: 12, ends: 60_000 });
    virtualTime(() => account.learn({ sentAgo: 1, remaining: 9, endsIn: 50_000, hint: 3000 }, 7));
    expect(account.state).toMatchObject({ remaining: 9, ends: 50_000, gate: 3000 });
  });
});
