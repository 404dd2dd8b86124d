import { catchError, concatWith, defer, EMPTY, ignoreElements, type Observable, of, tap } from 'rxjs';
import type { HttpEvent } from '../request/HttpEvent.js';
import { joinRequests } from './joinTimelines.js';
import { recordRequest, type TimelineOptions } from './recordRequest.js';
import type { Timeline } from './TimelineData.js';

/**
 * Turns the course of a request into data: emits once, when the request is over, however it ended.
 *
 *     events$   s h w 3s s h (r|)
 *     output    - - - 3s - - (t|)
 *
 * An error of `events$` becomes the row's outcome and is not thrown again; a stream that completes without an answer was aborted. Moments
 * are read when the events arrive, on the monotonic clock, or the virtual one under `TestScheduler.run`. Unsubscribing ends the request and
 * emits nothing; see {@link timelineRecorder} for what goes on beside a pipeline.
 *
 * @example
 * timeline(http.get('/users', { observe: 'events' }), { label: 'GET /users' }).subscribe((t) => console.log(renderMarbles(t)));
 * // --x(429) ~3s~ --o(200)
 */
export function timeline(events$: Observable<HttpEvent>, options: TimelineOptions = {}): Observable<Timeline> {
  return defer(() => {
    const record = recordRequest(options);
    return events$.pipe(
      tap({ next: record.next, error: record.fail, complete: record.complete }),
      ignoreElements(),
      catchError(() => EMPTY),
      concatWith(defer(() => of(joinRequests([record.read()])))),
    );
  });
}
