import { readRateLimit } from '../headers/rateLimit/readRateLimit.js';
import { wallClock } from '../time.js';
import type { Failure } from './Failure.js';

/**
 * Whether a server refused a request for its rate limit: a 429, or a 403 that says so as GitHub does, by a `Retry-After` or by a quota of which
 * nothing remains, in any spelling of the fields (docs.github.com, "Rate limits for the REST API": primary and secondary limits answer 403 or 429).
 */
export function isRateLimited({ type, status, headers }: Failure): boolean {
  if (type !== 'response') return false;
  if (status === 429) return true;
  if (status !== 403 || headers === undefined) return false;
  return (headers.get('retry-after') ?? '') !== '' || readRateLimit(headers, wallClock()).some(({ remaining }) => remaining === 0);
}
