import { catchError, concat, defer, EMPTY, filter, map, type Observable, of, takeWhile, throwError } from 'rxjs';
import { isDeadlineError } from '../../request/errors/DeadlineError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { isLimiterError } from '../../request/errors/LimiterError.js';
import { isNetworkError } from '../../request/errors/NetworkError.js';
import { isTimeoutError } from '../../request/errors/TimeoutError.js';
import type { HttpEvent, ResponseEvent } from '../../request/HttpEvent.js';

/**
 * Lets an answer stand in where the origin is out: for an error that says so, and at once when a circuit breaker holds the request back, which
 * ends the request. That retry gave up is passed on only with the error.
 *
 * @param answerFor the answer, if there is one; `status` is what the origin answered with, if it did
 */
export function standIn(answerFor: (status: number | undefined) => ResponseEvent | undefined) {
  return (source: Observable<HttpEvent>): Observable<HttpEvent> =>
    defer(() => {
      let gaveUp$: Observable<HttpEvent> = EMPTY;
      let standing: HttpEvent | undefined;
      return source.pipe(
        filter((event) => {
          if (event.type === 'gave-up') gaveUp$ = of(event);
          return event.type !== 'gave-up';
        }),
        map((event) => {
          if (event.type !== 'wait' || event.source !== 'breaker') return event;
          standing = answerFor(event.status);
          return standing ?? event;
        }),
        takeWhile((event) => event !== standing, true),
        catchError((error: unknown) => {
          const answer = isOutage(error) ? answerFor(isHttpError(error) ? error.status : undefined) : undefined;
          return answer
            ? of(answer)
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
