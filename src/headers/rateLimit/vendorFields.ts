import { fieldNames } from '../fields.js';
import type { HeadersLike } from '../HeadersLike.js';
import { parseDecimal } from '../parseDurations.js';
import type { QuotaWindow } from '../QuotaWindow.js';
import { fieldValue } from './structured.js';
import { readPolicies } from './ietfFields.js';
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

const REMAINING = /^x-ratelimit-remaining-(.+)$/;

/** Names under which OpenAI and its like count requests and tokens: `delaySources.openai` reads them. */
const OTHERS = /(?:^|-)(?:requests|tokens)$/;

/**
 * Reads the windows of named throttlers of NestJS, `@nestjs/throttler`:
 *
 *     X-RateLimit-Limit-long: 100   X-RateLimit-Remaining-long: 50   X-RateLimit-Reset-long: 30
 *
 * A window counts only if all three fields say a number, since others use such names for parts of their own.
 */
export function readNamed(headers: HeadersLike, readReset: ResetReader): readonly QuotaWindow[] {
  return fieldNames(headers).flatMap((field) => {
    const name = REMAINING.exec(field)?.[1];
    if (name === undefined || OTHERS.test(name)) return [];
    const { live } = readTriple(headers, 'x-ratelimit', readReset, `-${name}`);
    const [window] = live;
    if (window?.quota === undefined || window.remaining === undefined || window.reset === undefined) return [];
    return [{ ...window, name }];
  });
}
