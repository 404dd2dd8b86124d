import type { Failure } from './Failure.js';

/**
 * Whether a server refused a request for its rate limit: a 429, or a 403 that says so as GitHub does, by a `Retry-After` or by
 * `x-ratelimit-remaining: 0` (docs.github.com, "Rate limits for the REST API": primary and secondary limits answer 403 or 429).
 */
export function isRateLimited({ type, status, headers }: Failure): boolean {
  if (type !== 'response') return false;
  if (status === 429) return true;
  return status === 403 && (headers?.get('x-ratelimit-remaining') === '0' || (headers?.get('retry-after') ?? '') !== '');
}
