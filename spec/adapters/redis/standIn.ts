import { defer, mergeMap, type Observable, tap } from 'rxjs';
import { elapsed, wait } from '../../../src/time.js';
import type { Lease, LeaseRequest, Ledger, Observation } from '../../../src/adapters/redis/Ledger.js';
import { LocalLedger } from '../../../src/adapters/redis/LocalLedger.js';
import { quotaLimiter, type SharedLimiter } from '../../../src/adapters/redis/quotaLimiter.js';
import { RedisWatch } from '../../../src/adapters/redis/RedisWatch.js';

/** Half a round trip to the stand-in, in ms. */
const LATENCY = 0.5;

/** Ledger that a fleet shares in virtual time, in place of a Redis: the same rules, as far as they can be told from outside. */
export class StandIn implements Ledger {
  readonly #expected = new Map<string, number>();
  readonly #ledger: LocalLedger;
  calls = 0;

  constructor() {
    this.#ledger = new LocalLedger(
      {},
      1,
      () => 0,
      () => Math.max(1, this.#expected.size),
    );
  }

  lease(ask: LeaseRequest): Observable<Lease> {
    return this.#call(() => {
      const now = elapsed();
      for (const [client, until] of this.#expected) if (until <= now) this.#expected.delete(client);
      if (ask.need > 0) this.#expected.set(ask.client, Infinity);
      return this.#ledger.lease(ask).pipe(
        tap(({ retryIn, window = 60_000 }) => {
          if (ask.need > 0) this.#expected.set(ask.client, now + Math.max(retryIn, Math.min(window, 60_000)) + 1000);
        }),
      );
    });
  }

  learn(observation: Observation): Observable<void> {
    return this.#call(() => this.#ledger.learn(observation));
  }

  #call<T>(work: () => Observable<T>): Observable<T> {
    return defer(() => {
      this.calls++;
      return wait(LATENCY).pipe(
        mergeMap(work),
        mergeMap((value) => wait(LATENCY).pipe(mergeMap(() => [value]))),
      );
    });
  }
}

/** A limiter of one more client of `standIn`. */
export function standInLimiter(standIn: Ledger, client: string, random: () => number): SharedLimiter {
  return quotaLimiter({
    ledgerOf: () => standIn,
    watch: new RedisWatch(async () => undefined),
    client,
    clients: 1,
    configured: {},
    policy: undefined,
    silence: 50,
    random,
    notify: () => undefined,
  });
}
