import type { PutResult } from './VariantStore.js';

/** Handling of a request by a cache, in the parameters of RFC 9211. */
export interface CacheStatus {
  /** Set where the response came without asking the origin. */
  readonly hit?: boolean;
  /**
   * Reason why the request was forwarded: no stored response, a stale one, the request's own wish, or a method or request that caches do
   * not serve.
   */
  readonly fwd?: 'uri-miss' | 'vary-miss' | 'stale' | 'request' | 'method' | 'bypass';
  /** Status of the origin's response, where it differs from that of the given one. */
  readonly fwdStatus?: number | undefined;
  /** Time for which the response stays fresh, in ms; negative: the time since it became stale. */
  readonly ttl?: number | undefined;
  /** Set where the response was stored. */
  readonly stored?: boolean;
  /** Set where the response to another request served this one, too. */
  readonly collapsed?: boolean;
  /** Remark beyond the parameters of RFC 9211. */
  readonly detail?: CacheDetail | undefined;
}

/**
 * Remark about the use of a stale response, or about one that was not stored: credentials were added behind the cache, its body is cut, the
 * store failed or did not reply in time.
 */
export type CacheDetail = 'stale-while-revalidate' | 'stale-if-error' | 'unseen-credentials' | 'incomplete-body' | 'store-failed';

/** Cache status of a response after the attempt to store it. */
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
