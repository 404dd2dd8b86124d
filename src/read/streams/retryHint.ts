import { parseRetryAfter } from '../../headers/parseRetryAfter.js';
import { serverClock } from '../../headers/parseHttpDate.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { wallClock } from '../../time.js';

/** How long the server wants to be left alone after a failure, in ms; 0 where it does not say. */
export function retryHint(error: unknown): number {
  if (!isHttpError(error)) return 0;
  return parseRetryAfter(error.headers.get('retry-after'), serverClock(error.headers, wallClock())) ?? 0;
}
