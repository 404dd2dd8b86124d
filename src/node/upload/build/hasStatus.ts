import { isHttpError } from '../../../request/errors/HttpError.js';

/** Whether an error is an answer of that status. */
export function hasStatus(error: unknown, status: number): boolean {
  return isHttpError(error) && error.status === status;
}
