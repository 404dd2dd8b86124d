import { isCached } from '../../headers/fields.js';
import type { QuotaWindow } from '../../headers/QuotaWindow.js';
import { readRateLimit } from '../../headers/rateLimit/readRateLimit.js';
import { retryAfter } from '../../headers/sources/retryAfter.js';
import type { ResponseOutcome } from '../../pace/Limiter.js';
import { wallClock } from '../../time.js';

/** Announcement of a response about the shared quota. Durations in ms from now. */
export interface QuotaReading {
  readonly quota?: number | undefined;
  readonly window?: number | undefined;
  readonly remaining?: number | undefined;
  readonly reset?: number | undefined;
  /** Time that a 429 asks to wait, if it does. */
  readonly hint?: number | undefined;
}

/**
 * Reads the one policy that is shared: the one of that name; otherwise, of those that count requests, the one with the longest window.
 * Shorter windows are left to each client's own limiter, and to the gate that their 429s close.
 *
 * Fields of a cached response describe a past time, so they are ignored; so is the remaining quota that a 429 announces.
 */
export function readQuota(answer: ResponseOutcome, policy: string | undefined): QuotaReading {
  const { headers, delay, limited = answer.status === 429 } = answer;
  const asked = delay ?? undefined;
  if (!headers || isCached(headers)) return limited ? { hint: asked } : {};
  const now = wallClock();
  const windows = readRateLimit(headers, now).filter((window) => isShared(window, policy));
  const shared = windows.reduce<QuotaWindow>(
    (longest, one) => ((one.window ?? 0) > (longest.window ?? 0) ? one : longest),
    windows[0] ?? {},
  );
  const { quota, window, remaining, reset } = shared;
  if (!limited) return { quota, window, remaining, reset };
  const used = remaining === 0;
  const hint = (delay === undefined ? retryAfter(headers, now) : asked) ?? reset;
  return { quota, window, remaining: used ? 0 : undefined, reset: used ? reset : undefined, hint };
}

function isShared({ name, unit, remaining }: QuotaWindow, policy: string | undefined): boolean {
  if (remaining === undefined) return false;
  return policy === undefined ? unit === undefined || unit === 'requests' : name === policy;
}
