import { asyncScheduler, defer, Observable, Subscription, type Unsubscribable } from 'rxjs';
// RxJS exports this path (`./internal/*`); it is the one clock of RxJS that is monotonic in production and virtual inside
// `TestScheduler.run`.
import { performanceTimestampProvider } from 'rxjs/internal/scheduler/performanceTimestampProvider';

/** The longest delay a timer of the platform can hold, in ms; a longer one fires at once (measured on Node 20 to 26). */
export const MAX_TIMER = 2_147_483_647;

/** Milliseconds by which a timer of the platform may fire early: they round to whole ones, and browsers blur their clock. */
const EARLIEST = 2;

/** The `setTimeout` of the platform, unless a test runner was faster. */
const platformSetTimeout = setTimeout;

/** A nanosecond, in ms: the most by which sums of times may differ. */
const ROUNDING = 1e-6;

/** Milliseconds by which a busy process may fire a timer of the platform late, and within which progress made meanwhile still counts. */
const BUSY = 20;

/**
 * The lead of the elapsed clock over the monotonic one, in ms. Fake timers of a test runner that leave `performance` alone (`node:test` always
 * does) take time along with them: each tick adds what it leaps over. Real time goes on from there.
 */
const fakeTimers = { lead: 0 };

/**
 * Milliseconds since some fixed moment. Monotonic in production, so that a step of the wall clock changes no budget; virtual inside
 * `TestScheduler.run`.
 */
export function elapsed(): number {
  const now = performanceTimestampProvider.now();
  return isVirtual() ? now : now + fakeTimers.lead;
}

/** The wall clock in ms since 1970, for HTTP dates and for display. Virtual inside `TestScheduler.run`, where it starts at 0. */
export function wallClock(): number {
  return asyncScheduler.now();
}

/** True if both clocks are virtual. Their readings would not show it: a test runner's fake timers set the real clocks to any date. */
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

/** Emits once at a moment of the {@link elapsed} clock, like {@link wait}. */
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
  /** Restarts the time without progress: progress was made, or is owed from now on. */
  readonly touch: () => void;
  /** Stops the time without progress, and its timer, until the next touch: no progress is owed. */
  readonly pause: () => void;
}

/**
 * Calls `bark` when nothing has moved for `ms` after the last `touch`. A touch costs one reading of the clock: one timer serves however many
 * there are. Unsubscribing ends it, for later touches too.
 *
 * @param ms milliseconds without progress; `Infinity` never barks
 */
export function watchdog(ms: number, bark: () => void): Watchdog {
  let last = 0;
  let touched = false;
  let timer: Unsubscribable | undefined;
  let ended = false;
  const pause = (): void => {
    timer?.unsubscribe();
    timer = undefined;
  };
  // The moment of a touch within a leap of a fake clock is unknown: the end of the leap counts, so that moving bytes never time out.
  const leapt = (): void => {
    if (touched) last = elapsed();
    touched = false;
  };
  const watch = (): Unsubscribable => callAt(() => last + ms, expire, leapt);
  // A busy process runs its timers before its sockets: bytes that have come meanwhile are progress, too.
  const expire = (): void => {
    const quietSince = last;
    if (elapsed() - quietSince - ms < BUSY) {
      bark();
      return;
    }
    timer = schedule(() => {
      if (last === quietSince) bark();
      else timer = watch();
    }, BUSY);
  };
  return {
    touch: () => {
      if (ended) return;
      last = elapsed();
      touched = timer !== undefined;
      timer ??= watch();
    },
    pause,
    unsubscribe: () => {
      ended = true;
      pause();
    },
  };
}

/**
 * Calls `then` once `moment()` of the elapsed clock is there; `moment` is asked again whenever it seems to be. A timer that is early by
 * more than timers of the platform can be follows another clock, and takes the elapsed clock along; `leapt` is told of it.
 */
function callAt(moment: () => number, then: () => void, leapt?: () => void): Unsubscribable {
  const left = (): number => Math.max(moment() - elapsed(), 0);
  if (left() > Number.MAX_SAFE_INTEGER) return Subscription.EMPTY;
  let due = elapsed();
  let timer: Unsubscribable = Subscription.EMPTY;
  const arm = (ms: number): void => {
    const delay = Math.min(isVirtual() ? ms : wholeMs(ms), MAX_TIMER);
    due = Math.max(due, elapsed()) + delay;
    timer = schedule(fire, delay);
  };
  const fire = (): void => {
    const leap = due - elapsed();
    const early = leap > EARLIEST && !isVirtual() && isFaked();
    if (early) {
      fakeTimers.lead += leap;
      leapt?.();
    }
    const rest = left();
    if (rest > (early ? ROUNDING : 0)) arm(rest);
    else then();
  };
  arm(left());
  return {
    unsubscribe: () => {
      timer.unsubscribe();
    },
  };
}

/**
 * Delay that a timer of the platform is given. Timers of Node and fake ones cut fractions off, and would fire early. The rounding of sums
 * adds no millisecond: a tick of 60,000 reaches a timer of 60,000.00000001 ms.
 */
function wholeMs(ms: number): number {
  return Math.ceil(ms - ROUNDING);
}

/** True if `setTimeout` is a test runner's: replaced since this module was loaded, or marked as those of Jest and vitest are. */
function isFaked(): boolean {
  return setTimeout !== platformSetTimeout || 'clock' in setTimeout || '_isMockFunction' in setTimeout;
}

/**
 * Calls `work` after `ms`: by a timer of the platform, since RxJS has intervals only, which the fake timers of `node:test` cannot end; or
 * virtually.
 */
function schedule(work: () => void, ms: number): Unsubscribable {
  if (isVirtual()) return asyncScheduler.schedule(work, ms);
  let cancelled = false;
  // `clearTimeout` clears no timer that was made before `clearTimeout` was faked, nor a fake one where `clearTimeout` alone is not faked.
  const timer = setTimeout(() => {
    if (!cancelled) work();
  }, ms);
  return {
    unsubscribe: () => {
      cancelled = true;
      clearTimeout(timer);
    },
  };
}
