import { isBodyError } from '../../../request/errors/BodyError.js';
import { isDeadlineError } from '../../../request/errors/DeadlineError.js';
import { isHttpError } from '../../../request/errors/HttpError.js';
import { isLimiterError } from '../../../request/errors/LimiterError.js';
import { isUsageError } from '../../../request/errors/UsageError.js';
import { UploadError } from '../../UploadError.js';
import { describeFailure, withAttempts } from '../describeFailure.js';
import { isUnsent } from './beforeSending.js';

/** Reason why a request to the build API failed, in one line that may be shown, with a remedy where the reason suggests one. */
export function describeApiFailure(cause: unknown): string {
  const reason = withAttempts(describeFailure(cause), cause);
  if (isBodyError(cause)) return `${reason}: the answer is not that of the build API; check the URL`;
  return reason;
}

/** True if an error is a response of that status. */
export function hasStatus(error: unknown, status: number): boolean {
  return isHttpError(error) && error.status === status;
}

/** True if an error is a response by which the API refused, and did nothing. */
export function isRefusal(error: unknown): boolean {
  return isHttpError(error) && error.status >= 400 && error.status < 500 && error.status !== 408;
}

/**
 * Failure to create a build, as an UploadError that says whether a build may exist.
 *
 * @param isParallel true if a nonce leads a second request to the same build
 */
export function createFailure(cause: unknown, isParallel: boolean): unknown {
  if (isUsageError(cause) || cause instanceof UploadError) return cause;
  const buildMayExist = !(isRefusal(cause) || isDeadlineError(cause) || isLimiterError(cause) || isUnsent(cause));
  const warning = !buildMayExist
    ? ''
    : isParallel
      ? '; upload again: the nonce leads to the same build'
      : '; a build may exist all the same: look before you upload again';
  return new UploadError(`No build was created: ${describeApiFailure(cause)}${warning}`, 'create', buildMayExist, {
    cause,
  });
}
