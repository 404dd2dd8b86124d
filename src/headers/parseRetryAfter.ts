import { fieldNames, textOf } from './fields.js';
import type { HeadersLike } from './HeadersLike.js';
import { parseHttpDate, serverClock } from './parseDates.js';
import { parseDelaySeconds } from './parseDurations.js';

/**
 * Reads a `Retry-After` field (RFC 9110 section 10.2.3): whole seconds or an HTTP-date in any of its three forms. Nothing else is
 * guessed at: `Date.parse` would make `-5` the year 2001.
 *
 *     parseRetryAfter('3', now)                               // 3000
 *     parseRetryAfter('Wed, 21 Oct 2026 07:28:30 GMT', now)   // what is left until then; 0 if it has passed
 *     parseRetryAfter('3, 5', now)                            // 5000: a field sent twice arrives joined, and the longest counts
 *     parseRetryAfter('3, soon', now)                         // undefined: one invalid member makes the field invalid
 *
 * @param value the field's value
 * @param now the clock that dates are read against, in ms since 1970: best the response's own `Date`
 * @returns milliseconds, finite, 0 or more, and possibly more than a timer can hold (2,147,483,647); `undefined` if missing or malformed
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number | undefined {
  let longest: number | undefined;
  // A comma before a day of the month belongs to a date; any other comma stands between two fields.
  for (const member of textOf(value)?.split(/,(?! \d\d[ -][A-Z])/) ?? []) {
    const date = parseHttpDate(member, now);
    const delay = parseDelaySeconds(member) ?? (date === undefined ? undefined : date - now);
    if (delay === undefined) return undefined;
    // A date that has passed is no wait.
    longest = Math.max(delay, longest ?? 0);
  }
  return longest;
}

/** Delay of `Retry-After`, else of `Retry-After-NAME`, in ms; a date is read against the response's own `Date` where there is one. */
export function readRetryAfter(headers: HeadersLike, now: number): number | undefined {
  return parseRetryAfter(headers.get('retry-after'), serverClock(headers, now)) ?? readNamedRetryAfter(headers);
}

/** `Retry-After-NAME`; `retry-after-ms` is a field of other servers, in another unit. */
const NAMED = /^retry-after-(?!ms$)/;

/** Longest delay of the fields `Retry-After-NAME`, in ms. */
export function readNamedRetryAfter(headers: HeadersLike): number | undefined {
  const delays = fieldNames(headers).flatMap((name) => (NAMED.test(name) ? (parseDelaySeconds(headers.get(name)) ?? []) : []));
  return delays.length === 0 ? undefined : Math.max(...delays);
}
