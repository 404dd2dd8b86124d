import { isUploadError } from '../../node/UploadError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { UsageError } from '../../request/errors/UsageError.js';

/** A failure of the API as one of usage, where it refused the token; any other as it is. */
export function explainRefusedToken(error: unknown): unknown {
  const isRefusedToken = isUploadError(error) && isHttpError(error.cause) && error.cause.status === 401;
  if (!isRefusedToken) return error;
  return new UsageError("The API refused the token: set COLDFETCH_TOKEN or --token to the project's", { cause: error });
}
