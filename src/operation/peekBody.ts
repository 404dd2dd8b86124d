import { catchError, defer, map, type Observable, of } from 'rxjs';
import { wait } from '../time.js';
import { decodeText, readBytes } from '../transport/readBody.js';
import type { Failure } from '../retry/Failure.js';

const MOST_BYTES = 4096;
const MOST_TIME = 1000;

/**
 * The beginning of an error's body as text: what arrives of 4 KiB in 1 s. The body stays readable. Where the client that failed has read it
 * already (Angular, axios, RxJS's `ajax`), the beginning of what it read. '' where there is none.
 */
export function peekBody({ response, error }: Failure): Observable<string> {
  return defer(() =>
    response?.body && !response.bodyUsed
      ? readBytes(response.clone(), { maxBytes: MOST_BYTES, truncate: true, until$: wait(MOST_TIME) }).pipe(
          map((bytes) => decodeText(bytes)),
        )
      : of(asText(bodyReadBy(error)).slice(0, MOST_BYTES)),
  ).pipe(catchError(() => of('')));
}

/** Angular keeps the body in `error`, axios in `response.data`, `ajax` in `response`. */
function bodyReadBy(failed: unknown): unknown {
  const { error, response } = (failed ?? {}) as { error?: unknown; response?: unknown };
  if (error !== undefined || typeof response !== 'object' || response === null) return error ?? response;
  return 'data' in response && 'status' in response ? response.data : response instanceof Response ? undefined : response;
}

function asText(body: unknown): string {
  if (body === undefined || body === null) return '';
  return typeof body === 'string' ? body : JSON.stringify(body);
}
