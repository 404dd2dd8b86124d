import type { HeadersLike } from '../headers/HeadersLike.js';
import type { Failure } from './Failure.js';

const REMAINING = ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining'];

/** A member or parameter of a `RateLimit` field with nothing remaining. The readers of whole fields would double the bundle of a retry. */
const NOTHING_REMAINS = /(?:^|[;,]) *(?:r|remaining)=0 *(?:$|[;,])/;

/**
 * True if a server refused a request for its rate limit: a 429, or a 403 with a `Retry-After` or a quota of which nothing remains, in any
 * spelling of the fields, as GitHub sends it (docs.github.com, "Rate limits for the REST API": primary and secondary limits answer 403 or
 * 429).
 */
export function isRateLimited({ type, status, headers }: Failure): boolean {
  if (type !== 'response') return false;
  if (status === 429) return true;
  if (status !== 403 || headers === undefined) return false;
  return (headers.get('retry-after') ?? '') !== '' || isUsedUp(headers);
}

function isUsedUp(headers: HeadersLike): boolean {
  return REMAINING.some((name) => headers.get(name)?.trim() === '0') || NOTHING_REMAINS.test(headers.get('ratelimit') ?? '');
}
