import { catchError, defer, type Observable, of } from 'rxjs';
import type { Failure } from '../retry/Failure.js';
import type { ResponseBodies } from './responseBodies.js';

/** Bytes of a body that a peek shows, or characters of one that is text already. */
const MOST_BYTES = 4096;

/**
 * The beginning of an error's body as text: up to 4 KiB that arrive within 1 s. The body stays readable. Where the failed client has read
 * the body already (Angular, axios, RxJS's `ajax`), the beginning of its result. '' where there is no body.
 *
 * @param bodies reads the bodies of Responses; without it they give ''
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
