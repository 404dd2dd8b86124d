import type { DelaySource } from '../DelaySource.js';
import { parseDecimal } from '../parseDurations.js';
import { serverClock } from '../parseDates.js';
import { longestReset } from './longestReset.js';
import { MAX_RESET } from '../rateLimit/resetDelay.js';

/**
 * GitHub's primary limit: `x-ratelimit-reset` in seconds since 1970, once `x-ratelimit-remaining` is 0. (For its secondary limits GitHub
 * sends `Retry-After`.)
 *
 * A moment more than 24 h away from now, before or after, is some other vendor's unit (seconds from now, epoch milliseconds): `undefined`.
 */
export const github: DelaySource = (headers, now) => {
  const clock = serverClock(headers, now);
  return longestReset(headers, [{ remaining: 'x-ratelimit-remaining', reset: 'x-ratelimit-reset' }], (value) => {
    const delay = (parseDecimal(value) ?? NaN) * 1000 - clock;
    return Math.abs(delay) <= MAX_RESET ? delay : undefined;
  });
};
