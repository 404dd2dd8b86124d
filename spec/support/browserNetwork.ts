import { onTestFinished, vi } from 'vitest';

/** A stand-in for the network of a browser, until the spec is over. */
export interface BrowserNetwork {
  readonly online: () => void;
  readonly offline: () => void;
  /** Listeners for its coming back. */
  readonly listeners: () => number;
}

/** Lets this process pass for a browser whose network comes and goes; it is online at first. */
export function browserNetwork(): BrowserNetwork {
  const listening = new Set<() => void>();
  const navigator = { onLine: true };
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => listening.add(listener));
  vi.stubGlobal('removeEventListener', (_: string, listener: () => void) => listening.delete(listener));
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return {
    online: () => {
      navigator.onLine = true;
      for (const listener of [...listening]) listener();
    },
    offline: () => {
      navigator.onLine = false;
    },
    listeners: () => listening.size,
  };
}
