import { catchError, defer, map, type Observable, of } from 'rxjs';
import { wait } from '../time.js';
import { decodeText, readBytes } from '../transport/readBody.js';
import type { Failure } from '../retry/Failure.js';
import { beginningOf, MOST_BYTES } from './beginningOf.js';

const MOST_TIME = 1000;

/**
 * The beginning of an error's body as text: up to 4 KiB that arrive within 1 s. The body stays readable. Where the failed client has read
 * the body already (Angular, axios, RxJS's `ajax`), the beginning of its result. '' where there is no body.
 */
export function peekBody({ response, error }: Failure): Observable<string> {
  return defer(() =>
    response?.body && !response.bodyUsed
      ? readBytes(response.clone(), { maxBytes: MOST_BYTES, truncate: true, until$: wait(MOST_TIME) }).pipe(
          map((bytes) => decodeText(bytes)),
        )
      : of(beginningOf(bodyReadBy(error))),
  ).pipe(catchError(() => of('')));
}

/** Angular keeps the body in `error`, axios in `response.data`, `ajax` in `response`. */
function bodyReadBy(failed: unknown): unknown {
  const { error, response } = (failed ?? {}) as { error?: unknown; response?: unknown };
  if (error !== undefined || typeof response !== 'object' || response === null) return error ?? response;
  return 'data' in response && 'status' in response ? response.data : response instanceof Response ? undefined : response;
}
