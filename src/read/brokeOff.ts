import { isNetworkError } from '../request/errors/NetworkError.js';
import { isTimeoutError } from '../request/errors/TimeoutError.js';
import { looksLikeNetworkFailure } from '../transport/networkError.js';

/** Whether an error means that the connection was lost or fell silent, so that going on from where it stood makes sense. */
export function brokeOff(error: unknown): boolean {
  return isNetworkError(error) || isTimeoutError(error) || looksLikeNetworkFailure(error);
}
