import { rebrand } from '../request/errors/ColdfetchError.js';
import { isNetworkError, type NetworkError } from '../request/errors/NetworkError.js';
import { isUsageError } from '../request/errors/UsageError.js';
import { copyReport } from '../operation/retryReport.js';

/**
 * An error as `fetch` has it, for callers that tell failures apart as `fetch` does: a NetworkError or UsageError becomes a TypeError, and its
 * `cause` has the code. The guards know it still, since it has the brand and the fields of the one it stands for. Others are left as they are.
 */
export function platformError(error: unknown): unknown {
  if (error instanceof TypeError) return error;
  if (isNetworkError(error)) return copyReport(error, rebrand(fetchFailed(error), error));
  return isUsageError(error) ? rebrand(new TypeError(error.message, { cause: error }), error) : error;
}

/** The message is the platform's own, as those who look for one look for that. */
function fetchFailed(error: NetworkError): TypeError {
  const { name, message, cause } = Object(error.cause) as Partial<Error>;
  return new TypeError(name === 'TypeError' ? message : 'fetch failed', { cause: cause ?? error.cause ?? error });
}
