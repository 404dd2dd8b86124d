import { catchError, concat, defer, EMPTY, filter, map, type Observable, of, takeWhile, throwError } from 'rxjs';
import { isDeadlineError } from '../../request/errors/DeadlineError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { isLimiterError } from '../../request/errors/LimiterError.js';
import { isNetworkError } from '../../request/errors/NetworkError.js';
import { isTimeoutError } from '../../request/errors/TimeoutError.js';
import type { HttpEvent, ResponseEvent } from '../../request/HttpEvent.js';

/**
 * Gives a stale response in place of an outage of the origin (RFC 5861 section 4): when an error means one, and at once when a circuit
 * breaker holds the request back, which ends the request. A `gave-up` event is passed on only with the error.
 *
 * @param staleFor the response, if there is one; `status` is the origin's, if it answered
 */
export function staleIfError(staleFor: (status: number | undefined) => ResponseEvent | undefined) {
  return (source: Observable<HttpEvent>): Observable<HttpEvent> =>
    defer(() => {
      let gaveUp$: Observable<HttpEvent> = EMPTY;
      let stale: HttpEvent | undefined;
      return source.pipe(
        filter((event) => {
          if (event.type === 'gave-up') gaveUp$ = of(event);
          return event.type !== 'gave-up';
        }),
        map((event) => {
          if (event.type !== 'wait' || event.source !== 'breaker') return event;
          stale = staleFor(event.status);
          return stale ?? event;
        }),
        takeWhile((event) => event !== stale, true),
        catchError((error: unknown) => {
          const response = isOutage(error) ? staleFor(isHttpError(error) ? error.status : undefined) : undefined;
          return response
            ? of(response)
            : concat(
                gaveUp$,
                throwError(() => error),
              );
        }),
      );
    });
}

function isOutage(error: unknown): boolean {
  if (isHttpError(error)) return error.status === 429 || error.status >= 500;
  return isNetworkError(error) || isTimeoutError(error) || isDeadlineError(error) || isLimiterError(error);
}
