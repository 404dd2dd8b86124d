import { Subject } from 'rxjs';
import { gateEstimate } from '../../pace/gateEstimate.js';
import { destinationOf, quotaKeys } from '../../pace/keys.js';
import type { Ask, Estimate, Limiter, Permit } from '../../pace/Limiter.js';
import { queued } from '../../pace/queue/LimiterQueue.js';
import { RecentMap } from '../../pace/RecentMap.js';
import { elapsed } from '../../time.js';
import { ListenerCount } from './ListenerCount.js';
import type { Ledger } from './Ledger.js';
import { SharedQuota, type SharedQuotaParts } from './SharedQuota.js';

/** Parts of the limiter; all but the account are the same for every quota. */
export interface QuotaLimiterParts extends Omit<SharedQuotaParts, 'ledger' | 'origin' | 'changed' | 'delayed'> {
  /** Opens the account of a quota. */
  readonly ledgerOf: (quota: string) => Ledger;
}

/** A limiter whose account is kept elsewhere. */
export interface SharedLimiter extends Limiter {
  /** Gives back unused permits, and leaves the account. The connection stays open. */
  close(): void;
}

/** Most quotas that are remembered; the least recently used are dropped. */
const MAX_QUOTAS = 256;

/** A limiter with a shared quota for each origin, credential and policy name that it is asked for. */
export function quotaLimiter({ ledgerOf, ...parts }: QuotaLimiterParts): SharedLimiter {
  const changed$ = new Subject<void>();
  const delayed$ = new Subject<void>();
  const quotas = new RecentMap<SharedQuota>(MAX_QUOTAS, (quota) => quota.rest());
  const keyOf = quotaKeys();
  const listeners = new ListenerCount(changed$, restIfIdle);

  function quotaOf(ask: Ask): SharedQuota {
    const key = keyOf(ask).quota;
    return quotas.get(key) ?? quotas.use(key, begin(key, destinationOf(ask)));
  }

  function begin(key: string, origin: string): SharedQuota {
    return new SharedQuota({
      ...parts,
      ledger: ledgerOf(key),
      origin,
      changed: () => changed$.next(),
      delayed: () => delayed$.next(),
    });
  }

  /** A timer is left only while somebody waits or a request is in flight. */
  function restIfIdle(): void {
    const all = [...quotas.values()];
    if (!listeners.isEmpty || all.some(({ inFlight }) => inFlight > 0)) return;
    parts.watch.rest();
    for (const quota of all) quota.rest();
  }

  return queued({
    changed$: listeners.counted$,
    delayed$: delayed$.asObservable(),
    isGate: true,
    line: (ask) => keyOf(ask).quota,
    check: (ask, waiting = 1) => quotaOf(ask).check(elapsed(), waiting),
    estimate: (ask, ahead) => sharedEstimate(quotaOf(ask), ahead, elapsed()),
    take: (ask) => {
      const permit = quotas.use(keyOf(ask).quota, quotaOf(ask)).take(elapsed());
      return restingAfter(permit, restIfIdle);
    },
    close: () => {
      parts.watch.rest();
      for (const quota of quotas.values()) quota.leave();
    },
  });
}

function restingAfter(permit: Permit, rest: () => void): Permit {
  return {
    settle: (outcome) => permit.settle(outcome),
    release: () => {
      permit.release();
      rest();
    },
  };
}

/**
 * Estimate of a wait at a shared quota, by the last news of the account.
 *
 * @param ahead number of asks of this client that go first
 */
function sharedEstimate({ state, clients, refusal }: SharedQuota, ahead: number, now: number): Estimate {
  const { quota, window, remaining = 0, ends = 0, gate = 0 } = state;
  const estimate = gateEstimate(ahead, now, gate, ends > now ? [{ quota, window, remaining, ends, clients }] : []);
  return { ...estimate, cause: refusal?.answer.error };
}
