import { fieldNames } from './fields.js';
import { serverClock } from './parseHttpDate.js';
import type { HeadersLike } from './HeadersLike.js';
import { parseDelaySeconds } from './parseDelaySeconds.js';
import { parseRetryAfter } from './parseRetryAfter.js';

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
