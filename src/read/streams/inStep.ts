import {
  BehaviorSubject,
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  mergeMap,
  type Observable,
  type ObservableInput,
  take,
  tap,
} from 'rxjs';
import { loop } from '../loop.js';

/** How values are passed on, and when their source may go on. */
export interface Steps<T, R> {
  /** Emits once, when no work is being done; undefined: none ever is. */
  readonly idle$: Observable<unknown> | undefined;
  /** The values of batches, or what was made of them, one after the other. */
  pass(batches$: Observable<Iterable<T>>): Observable<T | R>;
}

/**
 * Passes on the values of batches. With `each`, one value at a time is worked on, in order, and what that gives is passed on instead; a
 * source that waits for `idle$` before it makes its next batch is held back by the work, which RxJS alone cannot do.
 *
 *     batches  (ab)      (c)          each: 1s (x|)
 *     output   1s x 1s x 1s x
 *
 * It holds state: make one for each subscription.
 */
export function inStep<T, R>(each: ((value: T) => ObservableInput<R>) | undefined): Steps<T, R> {
  if (!each) return { idle$: undefined, pass: (batches$) => batches$.pipe(mergeMap((values) => values)) };
  const busy$ = new BehaviorSubject(false);
  // Taken from a batch one by one: what is wrong with a later value shows after the work on those before it.
  const workOn = (values: Iterator<T>): Observable<R> =>
    loop(() => {
      const next = values.next();
      return next.done === true ? undefined : from(each(next.value));
    });
  const rest$ = defer(() => {
    busy$.next(false);
    return EMPTY;
  });
  return {
    idle$: busy$.pipe(
      filter((busy) => !busy),
      take(1),
    ),
    pass: (batches$) =>
      batches$.pipe(
        tap(() => busy$.next(true)),
        concatMap((values) => concat(workOn(values[Symbol.iterator]()), rest$)),
      ),
  };
}
