import type { DelaySource } from '../DelaySource.js';
import { readRetryAfter } from '../readRetryAfter.js';

/**
 * `Retry-After` as RFC 9110 section 10.2.3 has it: whole seconds, or an HTTP-date, which is read against the response's own `Date` where
 * there is one. Where it is missing or malformed, `Retry-After-NAME`: see `delaySources.nestThrottler`.
 */
export const retryAfter: DelaySource = (headers, now) => readRetryAfter(headers, now);
