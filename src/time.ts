import { asyncScheduler, defer, Observable, Subscription, type Unsubscribable } from 'rxjs';
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

/** Whether both clocks are virtual. What they show would not tell: a test runner's fake timers set the real ones to any date. */
export function isVirtual(): boolean {
  return performanceTimestampProvider.delegate !== undefined;
}

/**
 * Emits once, `ms` after subscription, then completes: never earlier by the monotonic clock, whatever the length.
 *
 *     wait(3000)   3s (a|)
 *
 * Timers of the platform hold 2^31 - 1 ms and may fire a fraction of a millisecond early; longer waits are chained and an early one is
 * armed again. What is beyond 2^53 ms (285,000 years) never emits. Unsubscribing clears the timer at once; a running wait keeps a process alive.
 *
 * @param ms milliseconds, 0 or more; what is not (negative, NaN) counts as 0
 */
export function wait(ms: number): Observable<void> {
  return defer(() => waitUntil(elapsed() + (ms > 0 ? ms : 0)));
}

/** As {@link wait}, until a moment of the {@link elapsed} clock. */
export function waitUntil(moment: number): Observable<void> {
  return new Observable((subscriber) =>
    callAt(
      () => moment,
      () => {
        subscriber.next();
        subscriber.complete();
      },
    ),
  );
}

/** Watches for the absence of progress; see {@link watchdog}. */
export interface Watchdog extends Unsubscribable {
  /** Something moved: the time without progress starts again, or, at the first touch, starts. */
  readonly touch: () => void;
}

/**
 * Calls `bark` when nothing has moved for `ms` after the last `touch`. A touch costs one reading of the clock: one timer serves however many
 * there are. Unsubscribing ends it.
 *
 * @param ms milliseconds without progress; `Infinity` never barks
 */
export function watchdog(ms: number, bark: () => void): Watchdog {
  let last = 0;
  let timer: Subscription | undefined;
  return {
    touch: () => {
      last = elapsed();
      timer ??= callAt(() => last + ms, bark);
    },
    unsubscribe: () => {
      timer?.unsubscribe();
    },
  };
}

/** Calls `then` once `moment()` of the elapsed clock is there; it is asked again whenever it seems to be. */
function callAt(moment: () => number, then: () => void): Subscription {
  const left = (): number => Math.max(moment() - elapsed(), 0);
  const delay = left();
  if (delay > Number.MAX_SAFE_INTEGER) return Subscription.EMPTY;
  return asyncScheduler.schedule(
    function () {
      if (left() > 0) this.schedule(undefined, Math.min(left(), MAX_TIMER));
      else then();
    },
    Math.min(delay, MAX_TIMER),
  );
}
