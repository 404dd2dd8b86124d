import { isHttpError } from '../../request/errors/HttpError.js';
import { retryReport } from '../../operation/retryReport.js';
import { brokeOff } from './brokeOff.js';

/** Whether a connection that failed may come about yet. What a retry further up has given up on is not begun again. */
export function isPassing(error: unknown): boolean {
  if (retryReport(error) !== undefined) return false;
  return brokeOff(error) || (isHttpError(error) && (error.status >= 500 || [408, 425, 429].includes(error.status)));
}
