import type { Kept } from './CacheShelf.js';

/** How a cache answered, by the parameters of RFC 9211. */
export interface CacheStatus {
  /** Answered without asking anybody. */
  readonly hit?: boolean;
  /** Why the request went on: there was nothing for it, it was stale, the request wanted it, the method or the request is not for caches. */
  readonly fwd?: 'uri-miss' | 'vary-miss' | 'stale' | 'request' | 'method' | 'bypass';
  /** The status that the origin answered with, where it differs from the answer's. */
  readonly fwdStatus?: number | undefined;
  /** How long the answer stays fresh, in ms; negative: how long it has been stale. */
  readonly ttl?: number | undefined;
  /** The answer was kept. */
  readonly stored?: boolean;
  /** The answer to another request served this one too. */
  readonly collapsed?: boolean;
  /** What the parameters cannot say. */
  readonly detail?: CacheDetail | undefined;
}

/**
 * More about an answer: it was stale, and why it was used all the same; it was not kept because credentials were added behind the cache;
 * the store failed.
 */
export type CacheDetail = 'stale-while-revalidate' | 'stale-if-error' | 'unseen-credentials' | 'store-failed';

/** What the store has to say of an answer. */
export function statusOf({ stored, failed }: Kept): CacheStatus {
  return { stored, ...(failed && { detail: 'store-failed' }) };
}

/** A member of a `Cache-Status` field: `coldfetch; hit; ttl=30`. */
export function cacheStatus({ hit, fwd, fwdStatus, ttl, stored, collapsed, detail }: CacheStatus): string {
  const parameters = [
    hit === true && 'hit',
    fwd !== undefined && `fwd=${fwd}`,
    fwdStatus !== undefined && `fwd-status=${fwdStatus}`,
    ttl !== undefined && `ttl=${seconds(ttl)}`,
    stored === true && 'stored',
    collapsed === true && 'collapsed',
    detail !== undefined && `detail=${detail}`,
  ];
  return ['coldfetch', ...parameters.filter((parameter) => parameter !== false)].join('; ');
}

// Structured fields hold integers of up to 15 digits.
function seconds(ms: number): number {
  return Math.max(Math.min(Math.floor(ms / 1000), 999_999_999_999_999), -999_999_999_999_999);
}
