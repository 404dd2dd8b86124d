import type { DelaySource } from '../DelaySource.js';
import { parseRetryAfter } from '../parseRetryAfter.js';
import { serverClock } from '../serverClock.js';
import { nestThrottler } from './nestThrottler.js';

/**
 * `Retry-After` as RFC 9110 section 10.2.3 has it: whole seconds, or an HTTP-date, which is read against the response's own `Date` where
 * there is one. Where it is missing or malformed, `Retry-After-NAME`: see `delaySources.nestThrottler`.
 */
export const retryAfter: DelaySource = (headers, now) =>
  parseRetryAfter(headers.get('retry-after'), serverClock(headers, now)) ?? nestThrottler(headers, now);
