import type { PutResult } from './VariantStore.js';

/** Handling of a request by a cache, in the parameters of RFC 9211. */
export interface CacheStatus {
  /** Answered without the origin. */
  readonly hit?: boolean;
  /** Reason why the request was forwarded: no stored answer, a stale one, the request's own wish, a method or request that is not for caches. */
  readonly fwd?: 'uri-miss' | 'vary-miss' | 'stale' | 'request' | 'method' | 'bypass';
  /** Status of the origin's response, where it differs from the answer's. */
  readonly fwdStatus?: number | undefined;
  /** Time for which the answer stays fresh, in ms; negative: for which it has been stale. */
  readonly ttl?: number | undefined;
  /** The answer was stored. */
  readonly stored?: boolean;
  /** The answer to another request served this one too. */
  readonly collapsed?: boolean;
  /** Remark that the parameters have no word for. */
  readonly detail?: CacheDetail | undefined;
}

/**
 * Reason for the use of a stale answer; or for not storing one: credentials were added behind the cache, its body is cut, the store failed
 * or did not reply in time.
 */
export type CacheDetail = 'stale-while-revalidate' | 'stale-if-error' | 'unseen-credentials' | 'incomplete-body' | 'store-failed';

/** The status of an answer after it was put into the store. */
export function statusOf({ stored, failed }: PutResult): CacheStatus {
  return { stored, ...(failed && { detail: 'store-failed' }) };
}

/** Member of a `Cache-Status` field: `coldfetch; hit; ttl=30`. */
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
