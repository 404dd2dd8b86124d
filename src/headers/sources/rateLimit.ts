import type { DelaySource } from '../DelaySource.js';
import { readRateLimit } from '../rateLimit/readRateLimit.js';

/**
 * `RateLimit` of all IETF drafts and `X-RateLimit-*`: the time until the last of the used-up windows opens. Seconds from now, or moments
 * since 1970, told apart as {@link readRateLimit} says.
 *
 * A window that has something left asks for no wait, and one that does not say how much it has left is not guessed at: both give
 * `undefined`, so the policy's own backoff counts.
 */
export const rateLimit: DelaySource = (headers, now) => {
  const resets = readRateLimit(headers, now).flatMap(({ remaining, reset }) => (remaining === 0 && reset !== undefined ? [reset] : []));
  return resets.length === 0 ? undefined : Math.max(...resets);
};
