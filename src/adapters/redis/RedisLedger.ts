import { defer, map, type Observable } from 'rxjs';
import type { Lease, LeaseRequest, Ledger, Observation } from './Ledger.js';
import type { RedisCommands } from './RedisClient.js';
import { type Script, scriptOf } from './scriptOf.js';
import { LEARN } from './scripts/learnScript.js';
import { LEASE } from './scripts/leaseScript.js';

/** Quota and window that hold until a response announces others. */
export interface ConfiguredQuota {
  readonly quota?: number | undefined;
  /** Length of the window in ms. */
  readonly window?: number | undefined;
}

/** Keeps the account of one quota in Redis. */
export class RedisLedger implements Ledger {
  readonly #keys: { readonly account: string; readonly clients: string; readonly leases: string };
  readonly #configured: ConfiguredQuota;
  readonly #lease: Script;
  readonly #learn: Script;

  /** @param key beginning of the keys; a hash tag in it keeps them on one node of a cluster */
  constructor(commands: RedisCommands, key: string, configured: ConfiguredQuota) {
    this.#keys = { account: `${key}:account`, clients: `${key}:clients`, leases: `${key}:leases` };
    this.#configured = configured;
    this.#lease = scriptOf(commands, LEASE);
    this.#learn = scriptOf(commands, LEARN);
  }

  lease(ask: LeaseRequest): Observable<Lease> {
    const { client, call, need, unsent, windowId, margin, probeTimeout, leaves } = ask;
    const { account, clients, leases } = this.#keys;
    const { quota, window } = this.#configured;
    const args = [client, call, need, unsent, windowId, margin, probeTimeout, leaves ? 1 : 0, quota, window];
    return defer(() => this.#lease([account, clients, leases], args)).pipe(map(readLease));
  }

  learn({ sentAgo, quota, window, remaining, endsIn, hint, lost }: Observation): Observable<void> {
    const args = [sentAgo, quota, window, remaining, endsIn, hint, lost ? 1 : undefined];
    return defer(() => this.#learn([this.#keys.account], args)).pipe(map(() => undefined));
  }
}

function readLease(reply: unknown): Lease {
  if (!Array.isArray(reply) || reply.length !== 9) throw new TypeError('Redis gave something that is not a lease');
  const [granted, windowId, opening, retryIn, endsIn, quota, window, remaining, clients] = reply.map(Number) as Numbers;
  const known = (value: number): number | undefined => (value < 0 ? undefined : value);
  return {
    granted,
    windowId,
    opening: opening === 1,
    retryIn,
    endsIn,
    quota: known(quota),
    window: known(window),
    remaining: known(remaining),
    clients,
  };
}

type Numbers = [number, number, number, number, number, number, number, number, number];
