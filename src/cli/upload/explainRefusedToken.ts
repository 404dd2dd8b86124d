import { isUploadError, UploadError } from '../../node/UploadError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { UsageError } from '../../request/errors/UsageError.js';

/**
 * A failure of the API with the facts to check, where it refused the token: a usage error for a 401, an error with its own message for a
 * 403; any other failure as it is.
 *
 * @param from place of the token: `--token`, `ARGOS_TOKEN`; undefined where none was given
 */
export function explainRefusedToken(error: unknown, from: string | undefined): unknown {
  if (from === undefined || !isUploadError(error) || !isHttpError(error.cause)) return error;
  const { step, buildMayExist, cause } = error;
  if (cause.status === 401) {
    return new UsageError(
      `The API refused the token of ${from}, as one that it does not know: check that it is whole and not revoked, by the project's settings, and that --api is the service that gave it`,
      { cause: error },
    );
  }
  if (cause.status === 403) {
    return new UploadError(
      `${error.message}; the token of ${from} may not do this: check that it is that of the project, that the project takes builds, and whether a proxy or firewall in between gave this answer`,
      step,
      buildMayExist,
      { cause },
    );
  }
  return error;
}
