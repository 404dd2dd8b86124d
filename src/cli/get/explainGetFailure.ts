import { describeFailure, withAttempts } from '../../node/upload/describeFailure.js';
import { isSecretName, redactUrl } from '../../node/recordings/redact.js';
import { paginationReport } from '../../read/pages/paginationReport.js';
import { isStreamError } from '../../read/streams/StreamError.js';
import { counted } from '../../request/counted.js';
import { isColdfetchError } from '../../request/errors/ColdfetchError.js';

/** Why a `get` failed, in one line, and from where to go on; undefined for what nobody foresaw. */
export function explainGetFailure(error: unknown): string | undefined {
  if (!isForeseen(error)) return undefined;
  if (isStreamError(error)) {
    const { received, bytes } = error.progress;
    return `the stream broke off after ${counted(received, bytes === undefined ? 'event' : 'line')}: ${describeFailure(error.cause)}`;
  }
  const why = inOptions(withAttempts(describeFailure(error), error));
  const page = paginationReport(error)?.cursor;
  return typeof page === 'string' ? `${why}; go on from ${redactUrl(page, isSecretName)}` : why;
}

/** What the library says of its options, said of those of the command. */
function inOptions(text: string): string {
  return text
    .replace(/\bmaxPages\b/g, '--max-pages')
    .replace(/\bmaxBytes\b/g, '--max-bytes')
    .replace("Record it, or use mode: 'fill'", 'Record it with --record');
}

/** Our own errors, and those of the file system. */
function isForeseen(error: unknown): boolean {
  return isColdfetchError(error) || (error instanceof Error && 'syscall' in error);
}
