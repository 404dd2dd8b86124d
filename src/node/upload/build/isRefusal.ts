import { isHttpError } from '../../../request/errors/HttpError.js';

/** Whether an error is an answer which says that nothing was done. */
export function isRefusal(error: unknown): boolean {
  return isHttpError(error) && error.status >= 400 && error.status < 500 && error.status !== 408;
}
