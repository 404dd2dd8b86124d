import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
import { performanceTimestampProvider } from 'rxjs/internal/scheduler/performanceTimestampProvider';
import { Heap } from '../pace/queue/Heap.js';

interface Timer {
  due: number;
  readonly order: number;
  readonly period: number;
  readonly handler: () => void;
  cleared: boolean;
}

/**
 * Runs `work` and then all timers that it leads to, in virtual time from 0: RxJS's clocks and timers are replaced, as in
 * `TestScheduler.run`, but the timers stand in a heap, so that a fleet with a hundred thousand of them takes seconds. (RxJS's scheduler
 * sorts its whole list for each.)
 *
 * @returns the time at which nothing was left to do, in ms
 */
export function virtualTime(work: () => void): number {
  const timers = new Heap<Timer>((a, b) => (a.due - b.due || a.order - b.order) < 0);
  let now = 0;
  let order = 0;
  const add = (handler: () => void, period: number): Timer => {
    const timer = { due: now + Math.max(0, period), order: order++, period, handler, cleared: false };
    timers.push(timer);
    return timer;
  };
  const clock = { now: () => now };
  // Handles of timers are made here; they are opaque to RxJS.
  const intervals = {
    setInterval: (handler: () => void, period = 0) => add(handler, period) as unknown as NodeJS.Timeout,
    clearInterval: (handle: unknown) => {
      if (typeof handle === 'object' && handle !== null) (handle as Timer).cleared = true;
    },
  };
  const before = [dateTimestampProvider.delegate, performanceTimestampProvider.delegate, intervalProvider.delegate] as const;
  dateTimestampProvider.delegate = clock;
  performanceTimestampProvider.delegate = clock;
  intervalProvider.delegate = intervals;
  try {
    work();
    for (let next = timers.pop(); next; next = timers.pop()) {
      if (!isSet(next)) continue;
      now = next.due;
      next.handler();
      if (isSet(next)) {
        next.due = now + next.period;
        timers.push(next);
      }
    }
  } finally {
    [dateTimestampProvider.delegate, performanceTimestampProvider.delegate, intervalProvider.delegate] = before;
  }
  return now;
}

/** True if a timer still runs. It is asked again after the handler, which may have cleared its own timer. */
function isSet({ cleared }: Timer): boolean {
  return !cleared;
}
