import { onTestFinished, vi } from 'vitest';

/** Timers of 45 s and more that are set from now on and still run: long waits and deadlines, not the timeouts of requests. */
export function longTimers(): ReadonlySet<unknown> {
  const running = new Set<unknown>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const setting = vi.spyOn(globalThis, 'setTimeout').mockImplementation((...args: Parameters<typeof set>) => {
    const handle = set(...args);
    if ((args[1] ?? 0) >= 45_000) running.add(handle);
    return handle;
  });
  const clearing = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((handle) => {
    running.delete(handle);
    clear(handle);
  });
  onTestFinished(() => {
    setting.mockRestore();
    clearing.mockRestore();
  });
  return running;
}
