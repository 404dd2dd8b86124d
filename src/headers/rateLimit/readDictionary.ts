import type { QuotaWindow } from '../QuotaWindow.js';
import { resetDelay } from './resetDelay.js';
import { quantity, structuredDictionary } from './structured.js';

/**
 * Reads a `RateLimit` field as IETF draft 7 has it: the one policy that is nearest to its end.
 *
 *     limit=100, remaining=50, reset=5
 */
export function readDictionary(value: string | undefined, clock: number): readonly QuotaWindow[] {
  const members = structuredDictionary(value);
  const reset = members?.get('reset')?.[0];
  const window = {
    quota: quantity(members?.get('limit')?.[0]),
    remaining: quantity(members?.get('remaining')?.[0]),
    reset: resetDelay(typeof reset === 'number' ? reset : undefined, clock),
  };
  return window.quota === undefined && window.remaining === undefined && window.reset === undefined ? [] : [window];
}
