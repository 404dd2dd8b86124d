import type { QuotaWindow } from '../QuotaWindow.js';
import type { ResetReader } from './resetDelay.js';
import { key, number, quantity, structuredItems, text } from './structured.js';

/**
 * Reads a `RateLimit` field as IETF drafts 8 to 10 have it: one item for each policy.
 *
 *     "burst";r=2;t=60, "daily";r=0;t=86400
 */
export function readItems(value: string | undefined, readReset: ResetReader): readonly QuotaWindow[] {
  return structuredItems(value).flatMap(([bare, parameters]) => {
    const name = text(bare);
    const remaining = quantity(parameters.get('r'));
    const partition = key(parameters.get('pk'));
    const reset = readReset(number(parameters.get('t')), { name, partition });
    if (name === undefined || (remaining === undefined && reset === undefined)) return [];
    return { name, remaining, reset, partition };
  });
}
