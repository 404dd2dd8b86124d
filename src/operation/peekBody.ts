import { catchError, defer, type Observable, of } from 'rxjs';
import type { Failure } from '../retry/Failure.js';
import type { ResponseBodies } from './responseBodies.js';

/** Bytes of a body that a peek shows, or characters of one that is text already. */
const MOST_BYTES = 4096;

/**
 * The beginning of an error's body as text: what arrives of 4 KiB in 1 s. The body stays readable. Where the client that failed has read it
 * already (Angular, axios, RxJS's `ajax`), the beginning of what it read. '' where there is none.
 *
 * @param bodies reads those of Responses; '' for them without it
 */
export function peekBody({ response, error }: Failure, bodies: ResponseBodies | undefined): Observable<string> {
  return defer(() =>
    bodies && response?.body && !response.bodyUsed ? bodies.peek(response, MOST_BYTES) : of(asText(bodyReadBy(error)).slice(0, MOST_BYTES)),
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
