import { asyncScheduler, defer, Observable, timer } from 'rxjs';
// RxJS exports this path (`./internal/*`); it is the one clock of RxJS that is monotonic in production and virtual inside
// `TestScheduler.run`.
import { performanceTimestampProvider } from 'rxjs/internal/scheduler/performanceTimestampProvider';

/** The longest delay a timer of the platform can hold, in ms; a longer one fires at once (measured on Node 20 to 26). */
export const MAX_TIMER = 2_147_483_647;

/**
 * Milliseconds since some fixed moment. Monotonic in production, so that a step of the wall clock changes no budget; virtual inside
 * `TestScheduler.run`.
 */
export function elapsed(): number {
  return performanceTimestampProvider.now();
}

/** The wall clock in ms since 1970, for HTTP dates and for display. Virtual inside `TestScheduler.run`, where it starts at 0. */
export function wallClock(): number {
  return asyncScheduler.now();
}

/**
 * Emits once, `ms` after subscription, then completes: never earlier by the monotonic clock, whatever the length.
 *
 *     wait(3000)   3s (a|)
 *
 * Timers of the platform hold 2^31 - 1 ms and may fire a fraction of a millisecond early; longer waits are chained and an early one is
 * armed again. `Infinity` never emits. Unsubscribing clears the timer at once; a running wait keeps a process alive.
 *
 * @param ms milliseconds, 0 or more; what is not (negative, NaN) counts as 0
 */
export function wait(ms: number): Observable<void> {
  return defer(() => waitUntil(elapsed() + (ms > 0 ? ms : 0)));
}

/** As {@link wait}, until a moment of the {@link elapsed} clock. */
export function waitUntil(moment: number): Observable<void> {
  return new Observable((subscriber) => {
    const arm = (): void => {
      const left = moment - elapsed();
      subscriber.add(
        timer(Math.min(Math.max(left, 0), MAX_TIMER)).subscribe(() => {
          if (elapsed() < moment) {
            arm();
          } else {
            subscriber.next();
            subscriber.complete();
          }
        }),
      );
    };
    if (moment !== Infinity) arm();
  });
}

/** Watches for the absence of progress; see {@link watchdog}. */
export interface Watchdog {
  /** Something moved: the time without progress starts again. */
  readonly touch: () => void;
  /** Emits once when `ms` have passed without a `touch`. */
  readonly expired$: Observable<void>;
}

/**
 * Tells when nothing has moved for `ms`. A `touch` costs one reading of the clock: one timer serves however many there are.
 *
 * @param ms milliseconds without progress; `Infinity` never expires
 */
export function watchdog(ms: number): Watchdog {
  let last = elapsed();
  return {
    touch: () => {
      last = elapsed();
    },
    expired$: new Observable((subscriber) => {
      const arm = (): void => {
        subscriber.add(
          waitUntil(last + ms).subscribe(() => {
            if (elapsed() < last + ms) {
              arm();
            } else {
              subscriber.next();
              subscriber.complete();
            }
          }),
        );
      };
      last = elapsed();
      arm();
    }),
  };
}
