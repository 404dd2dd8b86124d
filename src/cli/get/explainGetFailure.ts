import { describeFailure, withAttempts } from '../../node/upload/describeFailure.js';
import { isSecretName, redactUrl } from '../../node/recordings/redact.js';
import { paginationReport } from '../../read/pages/paginationReport.js';
import { isStreamError } from '../../read/streams/StreamError.js';
import { counted } from '../../request/printable.js';
import { isColdfetchError } from '../../request/errors/ColdfetchError.js';

/** Reason why a `get` failed, in one line, with the place to go on from; undefined for an unforeseen error. */
export function explainGetFailure(error: unknown): string | undefined {
  if (!isForeseen(error)) return undefined;
  if (isStreamError(error)) {
    const { received, bytes } = error.progress;
    return `the stream broke off after ${counted(received, bytes === undefined ? 'event' : 'line')}: ${describeFailure(error.cause)}`;
  }
  const why = withAttempts(describeFailure(error), error);
  const page = paginationReport(error)?.cursor;
  return typeof page === 'string' ? `${why}; go on from ${redactUrl(page, isSecretName)}` : why;
}

/** True if an error is one of coldfetch's own, or of the file system. */
function isForeseen(error: unknown): boolean {
  return isColdfetchError(error) || (error instanceof Error && 'syscall' in error);
}
