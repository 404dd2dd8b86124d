import type { QuotaWindow } from '../QuotaWindow.js';
import type { ResetReader } from './resetDelay.js';
import { key, number, quantity, seconds, type StructuredItem, structuredItems, structuredValues, text } from './structured.js';

/**
 * Reads a `RateLimit-Policy` field: what the limits are, not what is left of them.
 *
 *     "hourly";q=1000;w=3600;pk=:dXNlcg==:   IETF drafts 8 to 10
 *     100;w=10, 1000;w=3600                  drafts up to 7, without names
 */
export function readPolicies(value: string | undefined): readonly QuotaWindow[] {
  return structuredItems(value).flatMap((item) => readPolicy(item) ?? []);
}

function readPolicy([bare, parameters]: StructuredItem): QuotaWindow | undefined {
  const name = text(bare);
  const quota = quantity(name === undefined ? bare : parameters.get('q'));
  if (name === undefined && quota === undefined) return undefined;
  return {
    name,
    quota,
    unit: text(parameters.get('qu')),
    window: seconds(parameters.get('w')),
    partition: key(parameters.get('pk')),
  };
}

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
