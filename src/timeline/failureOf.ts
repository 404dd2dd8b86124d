import { isBodyError } from '../request/errors/BodyError.js';
import { isDeadlineError } from '../request/errors/DeadlineError.js';
import { isHttpError } from '../request/errors/HttpError.js';
import { isNetworkError } from '../request/errors/NetworkError.js';
import { isTimeoutError } from '../request/errors/TimeoutError.js';
import type { AttemptFailure } from './TimelineData.js';

/** How an attempt failed that ended with `error`. */
export function failureOf(error: unknown): AttemptFailure {
  if (isHttpError(error)) return 'response';
  if (isNetworkError(error)) return 'network';
  if (isTimeoutError(error)) return 'timeout';
  if (isBodyError(error)) return 'body';
  return isDeadlineError(error) ? 'deadline' : 'other';
}
