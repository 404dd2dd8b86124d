import { serverClock } from '../../headers/parseDates.js';
import { parseRetryAfter } from '../../headers/parseRetryAfter.js';
import { retryReport } from '../../operation/retryReport.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { isNetworkError } from '../../request/errors/NetworkError.js';
import { isTimeoutError } from '../../request/errors/TimeoutError.js';
import { isTerminalFailure, looksLikeNetworkFailure } from '../../request/networkError.js';
import { wallClock } from '../../time.js';

/**
 * True if an error means that the connection was lost or fell silent, so that going on makes sense; a bad certificate, for example, stays
 * bad.
 */
export function brokeOff(error: unknown): boolean {
  return isTimeoutError(error) || ((isNetworkError(error) || looksLikeNetworkFailure(error)) && !isTerminalFailure(error));
}

/** True if a connection that failed may yet succeed. A request that a retry further up has given up on is not begun again. */
export function isPassing(error: unknown): boolean {
  if (retryReport(error) !== undefined) return false;
  return brokeOff(error) || (isHttpError(error) && (error.status >= 500 || [408, 425, 429].includes(error.status)));
}

/** Delay that the server asks for after a failure, in ms; 0 where it asks for none. */
export function retryHint(error: unknown): number {
  if (!isHttpError(error)) return 0;
  return parseRetryAfter(error.headers.get('retry-after'), serverClock(error.headers, wallClock())) ?? 0;
}
