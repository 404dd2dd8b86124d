import { isBodyError } from '../../../request/errors/BodyError.js';
import { describeFailure, withAttempts } from '../describeFailure.js';

/** Reason why a request to the build API failed, in one line that may be shown: with its remedy, where the reason tells one. */
export function describeApiFailure(cause: unknown): string {
  const reason = withAttempts(describeFailure(cause), cause);
  if (isBodyError(cause)) return `${reason}: the answer is not that of the build API; check the URL`;
  return reason;
}
