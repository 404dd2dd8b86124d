import { isNetworkError } from '../../request/errors/NetworkError.js';
import { isTimeoutError } from '../../request/errors/TimeoutError.js';
import { isTerminalFailure, looksLikeNetworkFailure } from '../../request/networkError.js';

/** Whether an error means that the connection was lost or fell silent, so that going on makes sense; a bad certificate, say, stays bad. */
export function brokeOff(error: unknown): boolean {
  return isTimeoutError(error) || ((isNetworkError(error) || looksLikeNetworkFailure(error)) && !isTerminalFailure(error));
}
