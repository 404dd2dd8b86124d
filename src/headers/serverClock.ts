import type { HeadersLike } from './HeadersLike.js';
import { parseHttpDate } from './parseHttpDate.js';

/**
 * The moment at which the server answered, by its own clock: what it says about moments is read against that, since clocks disagree.
 *
 * @param now the caller's clock in ms since 1970, for when there is no valid `Date` (a browser hides it from other origins)
 * @returns milliseconds since 1970
 */
export function serverClock(headers: HeadersLike, now: number): number {
  return parseHttpDate(headers.get('date'), now) ?? now;
}
