import { isCached } from '../headers/fields.js';
import { fieldValue } from '../headers/rateLimit/structured.js';
import type { Hold, Outcome } from './Limiter.js';
import { OriginPacer, type OriginPacerOptions } from './OriginPacer.js';
import { RecentMap } from './RecentMap.js';

/** Most quotas of an origin that responses may name, and most routes whose quota is remembered. */
const MAX_QUOTAS = 16;
const MAX_ROUTES = 256;

/** Routes below a path that have to agree before a new route beside them is taken for one of theirs. */
const AGREEING = 2;

/**
 * Quotas of one origin, credential and policy name: those that responses name by `x-ratelimit-resource` (GitHub's `core`, `search`, ...),
 * and one for the routes whose responses have named none. Each has windows and gates of its own, so a used-up search holds nothing else.
 *
 * A route belongs to the quota that its latest response named. A route without a response belongs to the quota of the known routes beside
 * it, where at least two of them share a path and all agree.
 */
export class OriginQuotas {
  readonly #options: OriginPacerOptions;
  readonly #unnamed: OriginPacer;
  readonly #named = new RecentMap<OriginPacer>(MAX_QUOTAS);
  readonly #resources = new RecentMap<string>(MAX_ROUTES);

  constructor(options: OriginPacerOptions) {
    this.#options = options;
    this.#unnamed = new OriginPacer(options);
  }

  /** Pacer of the quota that a route belongs to. */
  pacerOf(route: string): OriginPacer {
    return this.#named.get(this.resourceOf(route) ?? '') ?? this.#unnamed;
  }

  /** Name of the quota that a route belongs to; `undefined` as long as no response has named it. */
  resourceOf(route: string): string | undefined {
    // Most servers name no quota in their responses.
    return this.#resources.size === 0 ? undefined : (this.#resources.get(route) ?? this.#resourceBeside(route));
  }

  /** True if requests wait for any of the quotas. */
  isHolding(now: number): boolean {
    return this.#unnamed.isHolding(now) || [...this.#named.values()].some((pacer) => pacer.isHolding(now));
  }

  /** Takes a permit for a request. @returns the way to settle it */
  take(route: string, sent: number): (outcome: Outcome, now: number) => Hold | undefined {
    const pacer = this.pacerOf(route);
    const permit = pacer.take(route, sent);
    return (outcome, now) => {
      const owner = this.#ownerOf(outcome, route) ?? pacer;
      if (owner === pacer) return pacer.settle(permit, now, outcome);
      // The request went by the rules of another quota than the one that counted it.
      pacer.settle(permit, now, withoutFields(outcome));
      return owner.settle(owner.take(route, sent), now, outcome);
    };
  }

  /** Pacer of the quota that a response names; from now on the route is known to belong to it. */
  #ownerOf(outcome: Outcome, route: string): OriginPacer | undefined {
    const headers = outcome === 'unknown' ? undefined : outcome.headers;
    const resource = headers && fieldValue(headers, 'x-ratelimit-resource');
    if (!resource || isCached(headers)) return undefined;
    this.#resources.use(route, resource);
    return this.#named.use(resource, this.#named.get(resource) ?? new OriginPacer(this.#options));
  }

  #resourceBeside(route: string): string | undefined {
    for (let path = parentOf(route); path !== ''; path = parentOf(path)) {
      const beside = [...this.#resources.entries()].filter(([known]) => known.startsWith(`${path}/`)).map(([, resource]) => resource);
      if (beside.length >= AGREEING) return beside.every((resource) => resource === beside[0]) ? beside[0] : undefined;
    }
    return undefined;
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The outcome, as far as a quota learns from a response about another one. */
function withoutFields(outcome: Outcome): Outcome {
  return outcome === 'unknown' || (outcome.limited ?? outcome.status === 429) ? 'unknown' : { status: outcome.status };
}
