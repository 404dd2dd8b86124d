import { concat, defer, map, type Observable, takeUntil } from 'rxjs';
import { DeadlineError } from '../request/errors/DeadlineError.js';
import { elapsed, waitUntil, wallClock } from '../time.js';
import { isOffline, untilOnline } from '../transport/untilOnline.js';
import type { RunningOperation } from './RunningOperation.js';
import { waitEvent } from './events.js';

/**
 * An attempt that is held while the browser is offline, where the policy says so. Its limiter is asked only afterwards, and no retry is
 * used up.
 *
 *     network   ------off-----on----
 *     attempt         w       5ms (a|)       w: the wait event, of kind 'offline'
 *
 * Errors, at the deadline: the failure before, or a DeadlineError where nothing was sent.
 */
export function onceOnline<T>(attempt$: Observable<T>, { policy, context, log }: RunningOperation<T>): Observable<T> {
  if (policy.offline !== 'wait') return attempt$;
  return defer(() => {
    if (!isOffline()) return attempt$;
    log.beginWait(elapsed());
    // The length of an offline wait is unknown.
    context.emit(waitEvent({ delay: 0, since: wallClock(), kind: 'offline', source: 'online', capped: false }, log, context));
    const late$ = waitUntil(log.deadline).pipe(
      map(() => {
        const message = `The deadline of ${policy.deadline} ms passed while the browser was offline`;
        const error = log.failed ? log.failed.failure.error : new DeadlineError(message);
        log.givenUp = { reason: 'deadline', error };
        throw error;
      }),
    );
    return concat(untilOnline.pipe(takeUntil(late$)), attempt$);
  });
}
