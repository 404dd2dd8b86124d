import type { QuotaWindow } from '../QuotaWindow.js';
import { key, quantity, seconds, structuredItems, text } from './structured.js';
import type { StructuredItem } from './structuredFields.js';

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
