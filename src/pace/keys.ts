import { originOf } from '../request/urls.js';
import type { Ask } from './Limiter.js';

/** An origin in its normal form, at the beginning of a URL, as parsing would give it. */
const PLAIN = /^https?:\/\/[a-z\d.-]+(?::(?!80\b|443\b)\d+)?(?=[/?#]|$)/;

/** Origin of an ask's URL; `''` for paths and for an ask without a URL. Other text stands for itself. */
export function destinationOf({ url = '' }: Ask): string {
  return PLAIN.exec(url)?.[0] ?? originOf(url) ?? (url.startsWith('/') ? '' : url);
}

/** A path segment that names one item among many: a number, a UUID, a hash, a file with a number, an e-mail address. */
const ID = /^\d|\d.*\d|[@%]|^.{33,}$/;
/** A version of an API: `v2`, `v1.1`, `2024-01-01`. */
const VERSION = /^v\d+([._]\d+)*$|^\d{4}-\d{2}(-\d{2})?$/i;

/**
 * Route of a URL: its path up to the first segment that looks like an id, so that the requests for items of one kind are of one route.
 *
 *     https://api.example.com/v2/builds/123/images?page=2     /v2/builds
 *
 * @param url an absolute URL, or a path
 */
export function routeOf(url: string): string {
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  const segments = path.split('/').filter((segment) => segment !== '');
  const id = segments.findIndex((segment) => ID.test(segment) && !VERSION.test(segment));
  return `/${segments.slice(0, id < 0 ? segments.length : id).join('/')}`;
}

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
 * The names of one ask are needed several times in a row, and URLs are slow to parse: those of the last ask, and the places of some URLs,
 * are remembered.
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
