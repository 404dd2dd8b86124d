import { isDeadlineError } from '../../../request/errors/DeadlineError.js';
import { isLimiterError } from '../../../request/errors/LimiterError.js';
import { isUsageError } from '../../../request/errors/UsageError.js';
import { UploadError } from '../../UploadError.js';
import { isUnsent } from './beforeSending.js';
import { describeApiFailure } from './describeApiFailure.js';
import { isRefusal } from './isRefusal.js';

/**
 * Failure to create a build, as an UploadError that says whether one may exist.
 *
 * @param isParallel whether a nonce leads a second request to the same build
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
