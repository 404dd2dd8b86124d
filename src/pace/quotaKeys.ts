import { destinationOf } from './destinationOf.js';
import type { Ask } from './Limiter.js';

/**
 * Names the quota that an ask falls under: by origin, credential and policy name.
 *
 * Of one ask it is wanted several times in a row, and URLs are slow to parse: so what was last named is remembered.
 */
export function quotaKeys(): (ask: Ask) => string {
  let last: { readonly ask: Ask; readonly key: string } | undefined;
  return (ask) => {
    if (last?.ask !== ask) last = { ask, key: `${destinationOf(ask)} ${ask.credential ?? ''} ${ask.policyName ?? ''}` };
    return last.key;
  };
}
