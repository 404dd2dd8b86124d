import { onTestFinished, vi } from 'vitest';

/** Clock and timers of this process in a spec, which move by hand alone; sockets, files and immediates go on by themselves. */
export interface HandClock {
  /** Moves the clock; timers that are due meanwhile fire, each at its time. */
  move(ms: number): void;
  /** Moves the clock as a process does that is busy for so long: timers that are due meanwhile fire at the end, late. */
  block(ms: number): void;
}

/** Control of the fake timers, which hangs on those that it has put in place. */
interface FakeTimers {
  readonly clock: { jump(ms: number): void };
}

/** Stops the clock for the rest of the spec: a timeout is over when the spec says so, however busy the machine is. */
export function handClock(): HandClock {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { clock } = globalThis.setTimeout as unknown as FakeTimers;
  return {
    move: (ms) => void vi.advanceTimersByTime(ms),
    block: (ms) => {
      clock.jump(ms);
    },
  };
}
