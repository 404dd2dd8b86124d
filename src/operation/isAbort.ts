import type { RetryOptions } from '../retry/RetryPolicy.js';
import { isAbortReason } from '../transport/stopOn.js';

/** Whether an error is the reason of a caller who aborted: whatever its shape, it is no failure of the request. */
export function isAbort(error: unknown, { signal }: Pick<RetryOptions, 'signal'>): boolean {
  return isAbortReason(error) || (signal?.aborted === true && error === signal.reason);
}
