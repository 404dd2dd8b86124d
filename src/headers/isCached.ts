import type { HeadersLike } from './HeadersLike.js';
import { textOf } from './textOf.js';

/** Whether an answer comes out of a cache (RFC 9111 section 5.1): what it says of quotas was true some time ago. */
export function isCached(headers: HeadersLike): boolean {
  return Number(textOf(headers.get('age')) ?? 0) > 0;
}
