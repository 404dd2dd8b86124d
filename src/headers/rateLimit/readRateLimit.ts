import { fieldNames } from '../fields.js';
import { serverClock } from '../parseDates.js';
import type { HeadersLike } from '../HeadersLike.js';
import type { QuotaWindow } from '../QuotaWindow.js';
import { fieldValue } from './structured.js';
import { readDictionary, readItems, readPolicies } from './ietfFields.js';
import { readNamed, readTriple } from './vendorFields.js';
import { resetDelay, type ResetReader } from './resetDelay.js';
import { readRetryAfter } from '../parseRetryAfter.js';

/** Most windows of one response that count; an honest server has a handful. */
export const MAX_WINDOWS = 16;

// Twitter's spelling is the third.
const PREFIXES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];
const ANNOUNCING = /^(?:x-)?rate-?limit/;

/**
 * Reads what a response says about its server's limits: `RateLimit` and `RateLimit-Policy` of IETF drafts 6, 7 and 8 to 10 (several
 * policies at once), else `RateLimit-Limit`, `-Remaining`, `-Reset`, else the same with `X-` before them, and with a name behind them, as
 * NestJS's throttlers send them.
 *
 *     RateLimit-Policy: "500-in-5min";q=500;w=300
 *     RateLimit: "500-in-5min";r=499;t=300        [{ name: '500-in-5min', quota: 500, window: 300000, remaining: 499, reset: 300000 }]
 *
 * Windows that tell what is left come first; then policies that were only announced. Never throws. A malformed structured field is ignored
 * whole, so is a field over 4 KiB; of the windows the first 16 count. A negative number of what is left means that it is not known. A reset
 * above 1e12 is ms since 1970, above 1e9 seconds since 1970 (both read against the response's `Date` where there is one), else seconds from
 * now; beyond 24 h it is ignored. Some servers mean milliseconds from now: it is read so where seconds would be twice the window's length and more,
 * or where `Retry-After` says the same in seconds.
 *
 * Source: draft-ietf-httpapi-ratelimit-headers-06 to -10.
 *
 * @param headers the response's headers
 * @param now the wall clock in ms since 1970
 * @returns the windows, durations in ms; empty if the headers announce none
 */
export function readRateLimit(headers: HeadersLike, now: number): readonly QuotaWindow[] {
  const names = fieldNames(headers);
  // Most responses announce nothing. Headers that cannot list their names announce nothing here.
  if (names.length > 0 && !names.some((name) => ANNOUNCING.test(name))) return [];
  const clock = serverClock(headers, now);
  const policies = readPolicies(fieldValue(headers, 'ratelimit-policy'));
  const field = fieldValue(headers, 'ratelimit');
  const asked = readRetryAfter(headers, now);
  const readReset: ResetReader = (value, live) => {
    const policy = policies.find((one) => isOf(live, one, policies.length === 1));
    return resetDelay(value, { clock, window: live.window ?? policy?.window, asked });
  };
  // A Dictionary alone has a "=" right after its first word.
  const live = /^ *[a-z]+=/.test(field ?? '') ? readDictionary(field, readReset) : readItems(field, readReset);
  if (live.length > 0) return joined(live, policies);

  for (const prefix of PREFIXES) {
    const triple = readTriple(headers, prefix, readReset);
    const live = prefix === 'x-ratelimit' ? [...triple.live, ...readNamed(headers, readReset)] : triple.live;
    if (live.length > 0) return joined(live, [...triple.policies, ...(prefix === 'ratelimit' ? policies : [])]);
  }
  return joined([], policies);
}

/** Completes each window by its policy, and appends the policies that no window is about. */
function joined(windows: readonly QuotaWindow[], policies: readonly QuotaWindow[]): readonly QuotaWindow[] {
  const rest = policies.slice(0, MAX_WINDOWS);
  const complete = windows.slice(0, MAX_WINDOWS).map((live) => {
    const index = rest.findIndex((policy) => isOf(live, policy, policies.length === 1));
    const [policy] = index < 0 ? [] : rest.splice(index, 1);
    return policy === undefined ? live : merged(live, policy);
  });
  return [...complete, ...rest].slice(0, MAX_WINDOWS);
}

/** True if a window is one of that policy's: by name and, where both tell, partition; nameless ones (up to draft 7) by their quota. */
function isOf(live: QuotaWindow, policy: QuotaWindow, only: boolean): boolean {
  if (live.name !== policy.name) return false;
  if (live.name === undefined) return live.quota === policy.quota || (only && live.quota === undefined);
  return live.partition === undefined || policy.partition === undefined || live.partition === policy.partition;
}

function merged(live: QuotaWindow, policy: QuotaWindow): QuotaWindow {
  return {
    name: live.name,
    quota: live.quota ?? policy.quota,
    unit: policy.unit,
    window: live.window ?? policy.window,
    remaining: live.remaining,
    reset: live.reset,
    partition: live.partition ?? policy.partition,
  };
}
