import type { DelaySource } from '../DelaySource.js';
import { parseDecimal, parseDelaySeconds } from '../parseDurations.js';
import { readNamedRetryAfter, readRetryAfter } from '../parseRetryAfter.js';

/**
 * `Retry-After` as RFC 9110 section 10.2.3 has it: whole seconds, or an HTTP-date, which is read against the response's own `Date` where
 * there is one. Where it is missing or malformed, `Retry-After-NAME`: see `delaySources.nestThrottler`.
 */
export const retryAfter: DelaySource = (headers, now) => readRetryAfter(headers, now);

/** `retry-after-ms` (OpenAI, Azure OpenAI), else `x-ms-retry-after-ms` (Azure Cosmos DB and others): milliseconds, a fraction allowed. */
export const retryAfterMs: DelaySource = (headers) =>
  parseDecimal(headers.get('retry-after-ms')) ?? parseDecimal(headers.get('x-ms-retry-after-ms'));

/** `Retry-After` in whole seconds only; a date, a fraction, a repeated field count as missing. */
export const retryAfterSeconds: DelaySource = (headers) => parseDelaySeconds(headers.get('retry-after'));

/**
 * NestJS: `Retry-After-NAME` of `@nestjs/throttler`, whole seconds, one for each throttler that has a name and says no; the longest of them.
 *
 * The names are the server's own, so that headers which cannot list their fields have none.
 */
export const nestThrottler: DelaySource = (headers) => readNamedRetryAfter(headers);
