import { destinationOf } from './destinationOf.js';
import { routeOf } from './gate/routeOf.js';
import type { Ask } from './Limiter.js';

/** Names of the quota and the route that an ask falls under. */
export interface QuotaKey {
  /** Origin, credential and policy name. */
  readonly quota: string;
  readonly route: string;
}

/** Origin and route of a URL. */
interface Place {
  readonly origin: string;
  readonly route: string;
}

/** Most URLs whose places are remembered. */
const MAX_PLACES = 256;

/**
 * Names the quota and the route that an ask falls under.
 *
 * They are wanted several times in a row of one ask, and URLs are slow to parse: the last ask's, and the places of some URLs, are remembered.
 */
export function quotaKeys(): (ask: Ask) => QuotaKey {
  let last: (QuotaKey & { readonly ask: Ask }) | undefined;
  const places = new Map<string, Place>();

  function placeOf(url: string): Place {
    let place = places.get(url);
    if (!place) {
      place = { origin: destinationOf({ url }), route: routeOf(url) };
      if (places.size === MAX_PLACES) places.clear();
      places.set(url, place);
    }
    return place;
  }

  return (ask) => {
    if (last?.ask !== ask) {
      const { origin, route } = placeOf(ask.url ?? '');
      last = { ask, quota: `${origin} ${ask.credential ?? ''} ${ask.policyName ?? ''}`, route };
    }
    return last;
  };
}
