import type { DelaySource } from '../DelaySource.js';
import { fieldNames } from '../fieldNames.js';
import { parseDelaySeconds } from '../parseDelaySeconds.js';

/** `retry-after-ms` is a field of others, in another unit. */
const NAMED = /^retry-after-(?!ms$)/;

/**
 * NestJS: `Retry-After-NAME` of `@nestjs/throttler`, whole seconds, one for each throttler that has a name and says no; the longest of them.
 *
 * The names are the server's own, so that headers which cannot list their fields have none.
 */
export const nestThrottler: DelaySource = (headers) => {
  const delays = fieldNames(headers).flatMap((name) => (NAMED.test(name) ? (parseDelaySeconds(headers.get(name)) ?? []) : []));
  return delays.length === 0 ? undefined : Math.max(...delays);
};
