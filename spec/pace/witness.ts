import { NEVER } from 'rxjs';
import type { Limiter, Outcome } from '../../src/pace/Limiter.js';
import { makePermit } from '../../src/pace/makePermit.js';
import { elapsed } from '../../src/time.js';

/** Lets everybody pass, and notes what it is told: when, what, and with which status. */
export function witness(): Limiter & { readonly told: [at: number, what: string, status?: unknown][] } {
  const told: [number, string, unknown?][] = [];
  return {
    told,
    changed$: NEVER,
    check: () => 0,
    take: () =>
      makePermit({
        settle: (outcome: Outcome) => {
          told.push([elapsed(), 'settled', outcome === 'unknown' ? outcome : outcome.status]);
          return undefined;
        },
        release: () => told.push([elapsed(), 'released']),
      }),
  };
}
