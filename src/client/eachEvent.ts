import { isObservable, type Observable, Subject, takeUntil, tap } from 'rxjs';
import { eachValueFrom } from 'rxjs-for-await';
import { LimiterError } from '../request/errors/LimiterError.js';
import { checkOptions, ANY, isFrom1, isNotNegative, type OptionTable, requireThat } from '../request/checkOptions.js';
import { takeUntilAborted } from '../transport/takeUntilAborted.js';
import { coalesceProgress } from './coalesceProgress.js';

/** Options of {@link eachEvent}. */
export interface EachEventOptions {
  /** Shortest time between two progress events of one kind, in ms; 100 by default, 0 for all of them. */
  readonly every?: number | undefined;
  /** Most events that wait for a slow loop; one more is an error. 10,000 by default. */
  readonly buffer?: number | undefined;
  /** Signal that ends the loop with its own reason. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: OptionTable<EachEventOptions> = {
  rules: {
    every: [(value) => isNotNegative(value) && value < Infinity, 'milliseconds, 0 or more'],
    buffer: [isFrom1, 'a number of events, 1 or more, or Infinity for no bound'],
    signal: ANY,
  },
};

/**
 * Async iteration over a stream of events: `rxjs-for-await`, made safe. Leaving the loop, `return()` while a `next()` is pending, and an
 * abort end the source at once; progress is coalesced, and the events that wait for a slow loop are bounded.
 *
 * The source is subscribed at the first `next()`. Its error is thrown into the loop after the events before it; the reason of an abort goes
 * before the waiting events, which are dropped.
 *
 * @example
 * for await (const event of eachEvent(http.get('/big', { observe: 'events', responseType: 'bytes' }))) {
 *   if (event.type === 'download') bar.update(event.loaded);
 * }
 *
 * @throws UsageError at once for what is no observable, or a bound out of its range
 */
export function eachEvent<T>(source$: Observable<T>, options: EachEventOptions = {}): AsyncIterableIterator<T> {
  requireThat(isObservable(source$), 'eachEvent', 'the source', source$, "an observable, http.get(url, { observe: 'events' }) say");
  checkOptions('eachEvent', options, OPTIONS);
  const { every = 100, buffer = 10_000, signal } = options;
  const left$ = new Subject<void>();
  let waiting = 0;
  let over = false;
  const leave = (): void => {
    over = true;
    // Completing the source settles a pending `next()`; otherwise `return()` would wait behind it forever.
    left$.next();
  };
  // The iterator is made by an async generator, which has return and throw.
  const values = eachValueFrom(
    source$.pipe(
      coalesceProgress(every),
      tap(() => {
        if (++waiting <= buffer) return;
        const message = `eachEvent: ${buffer} events wait for the loop; make it faster, or raise buffer`;
        throw new LimiterError(message, { reason: 'queue-full' });
      }),
      takeUntilAborted({ signal }),
      takeUntil(left$),
    ),
  ) as AsyncGenerator<T, void>;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => {
      if (signal?.aborted === true && !over) {
        leave();
        return values.throw(signal.reason);
      }
      return values.next().then(
        (result) => {
          waiting--;
          over ||= result.done === true;
          return result;
        },
        (error: unknown) => {
          over = true;
          throw error;
        },
      );
    },
    return: () => {
      leave();
      return values.return(undefined);
    },
    throw: (error: unknown) => {
      leave();
      return values.throw(error);
    },
  };
}
