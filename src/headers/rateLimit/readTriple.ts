import type { HeadersLike } from '../HeadersLike.js';
import { parseDecimal } from '../parseDecimal.js';
import type { QuotaWindow } from '../QuotaWindow.js';
import { fieldValue } from './fieldValue.js';
import { readPolicies } from './readPolicies.js';
import type { ResetReader } from './resetDelay.js';

/** Content of the three fields: their window, and the policies that may stand beside the limit. */
export interface Triple {
  readonly live: readonly QuotaWindow[];
  readonly policies: readonly QuotaWindow[];
}

/**
 * Reads `...-Limit`, `...-Remaining` and `...-Reset`: IETF drafts up to 6, and what vendors made of them.
 *
 *     X-RateLimit-Limit: 100          or, up to draft 5 and from Envoy: 100, 100;w=10, 1000;w=3600
 *     X-RateLimit-Remaining: 50       some write 50.0
 *     X-RateLimit-Reset: 1792567770   or seconds from now, or ms; see resetDelay
 */
export function readTriple(headers: HeadersLike, prefix: string, readReset: ResetReader, suffix = ''): Triple {
  const [limit, ...policies] = readPolicies(fieldValue(headers, `${prefix}-limit${suffix}`));
  const remaining = parseDecimal(fieldValue(headers, `${prefix}-remaining${suffix}`));
  const reset = parseDecimal(fieldValue(headers, `${prefix}-reset${suffix}`));
  if (limit?.quota === undefined && remaining === undefined && reset === undefined) return { live: [], policies: [] };
  // A part of a unit serves no request.
  const whole = remaining === undefined ? undefined : Math.floor(remaining);
  const quota = limit?.quota;
  const window = limit?.window ?? policies.find((policy) => policy.quota === quota)?.window;
  return { live: [{ quota, window: limit?.window, remaining: whole, reset: readReset(reset, { quota, window }) }], policies };
}
