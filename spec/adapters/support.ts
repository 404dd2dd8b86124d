import { type RunningServer, startServer } from 'coldfetch/server';
import { onTestFinished, vi } from 'vitest';

/** Part of the embedded server's answer at {@link Throttled.url}. */
export interface Report {
  readonly name: string;
}

/** A server that has a 429 ready for whoever comes next. */
export interface Throttled {
  readonly server: RunningServer;
  /** Answers a {@link Report}; a PUT makes its next version. */
  readonly url: string;
  /** The statuses answered so far, but for the spent request. */
  readonly statuses: () => (number | undefined)[];
}

/**
 * The embedded server with one request a window, which is spent: the next request gets a 429 with a `Retry-After` of `seconds`, and one that
 * waits as long gets a 200.
 */
export async function throttled(seconds: number): Promise<Throttled> {
  const server = await startServer({ limit: { requests: 1, windowMs: seconds * 1000, routes: 'all' } });
  onTestFinished(() => server.close());
  await (await fetch(server.url)).text();
  return { server, url: `${server.url}/mock/etag/report`, statuses: () => server.requests.slice(1).map(({ status }) => status) };
}

/** The timers of 45 s and more that are running from now on: the waits for a {@link throttled} server that says 60 s, and no timeouts. */
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
