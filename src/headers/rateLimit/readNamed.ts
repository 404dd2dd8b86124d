import { fieldNames } from '../fields.js';
import type { HeadersLike } from '../HeadersLike.js';
import type { QuotaWindow } from '../QuotaWindow.js';
import type { ResetReader } from './resetDelay.js';
import { readTriple } from './readTriple.js';

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
