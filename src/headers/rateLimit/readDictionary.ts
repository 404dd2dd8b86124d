import type { QuotaWindow } from '../QuotaWindow.js';
import type { ResetReader } from './resetDelay.js';
import { number, quantity, structuredValues } from './structured.js';

/**
 * Reads a `RateLimit` field as IETF draft 7 has it: the one policy that is nearest to its end.
 *
 *     limit=100, remaining=50, reset=5
 */
export function readDictionary(value: string | undefined, readReset: ResetReader): readonly QuotaWindow[] {
  const values = structuredValues(value);
  const quota = quantity(values.get('limit'));
  const remaining = quantity(values.get('remaining'));
  const reset = readReset(number(values.get('reset')), { quota });
  return quota === undefined && remaining === undefined && reset === undefined ? [] : [{ quota, remaining, reset }];
}
