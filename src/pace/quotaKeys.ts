import { destinationOf } from './destinationOf.js';
import { routeOf } from './gate/routeOf.js';
import type { Ask } from './Limiter.js';

/** Names of the quota and the route that an ask falls under. */
export interface QuotaKey {
  /** Origin, credential and policy name. */
  readonly quota: string;
  readonly route: string;
}

/**
 * Names the quota and the route that an ask falls under.
 *
 * They are wanted several times in a row of one ask, and URLs are slow to parse: the last ones are remembered.
 */
export function quotaKeys(): (ask: Ask) => QuotaKey {
  let last: (QuotaKey & { readonly ask: Ask }) | undefined;
  return (ask) => {
    if (last?.ask !== ask) {
      const quota = `${destinationOf(ask)} ${ask.credential ?? ''} ${ask.policyName ?? ''}`;
      last = { ask, quota, route: routeOf(ask.url ?? '') };
    }
    return last;
  };
}
