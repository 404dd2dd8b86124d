import { type Observable, Subject, takeUntil, tap } from 'rxjs';
import { eachValueFrom } from 'rxjs-for-await';
import { LimiterError } from '../request/errors/LimiterError.js';
import { stopOn } from '../transport/stopOn.js';
import { coalesceProgress } from './coalesceProgress.js';

/** Options of {@link eachEvent}. */
export interface EachEventOptions {
  /** Shortest time between two progress events of one kind, in ms; 100 by default, 0 for all of them. */
  readonly every?: number | undefined;
  /** Most events that wait for a slow loop; more is an error. 10,000 by default. */
  readonly buffer?: number | undefined;
  /** Ends the loop with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Async iteration over a stream of events: `rxjs-for-await`, made safe. Leaving the loop, `return()` while a `next()` is pending, and an abort
 * end the source at once; progress is coalesced, and what a slow loop leaves waiting is bounded.
 *
 * The source is subscribed at the first `next()`. Its error is thrown into the loop.
 *
 * @example
 * for await (const event of eachEvent(http.get('/big', { observe: 'events', responseType: 'bytes' }))) {
 *   if (event.type === 'download') bar.update(event.loaded);
 * }
 */
export function eachEvent<T>(
  source$: Observable<T>,
  { every = 100, buffer = 10_000, signal }: EachEventOptions = {},
): AsyncIterableIterator<T> {
  const left$ = new Subject<void>();
  let waiting = 0;
  // It is made by an async generator, which has return and throw.
  const values = eachValueFrom(
    source$.pipe(
      coalesceProgress(every),
      tap(() => {
        if (++waiting > buffer) throw new LimiterError(`eachEvent: ${buffer} events wait for the loop; make it faster, or raise buffer`);
      }),
      stopOn({ signal }),
      takeUntil(left$),
    ),
  ) as AsyncGenerator<T, void>;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () =>
      values.next().then((result) => {
        waiting--;
        return result;
      }),
    return: () => {
      // Completing the source settles a pending next(); without that, return() waits behind it forever.
      left$.next();
      return values.return(undefined);
    },
    throw: (error: unknown) => {
      left$.next();
      return values.throw(error);
    },
  };
}
