import { counted } from '../request/printable.js';
import { formatDuration } from '../request/duration.js';
import type { Estimate } from './Limiter.js';

/** A quota window, as far as waiting requests can count on it. Moments are of the `elapsed()` clock, durations in ms. */
export interface GateWindow {
  /** Requests that the window allows, and its length; `undefined` where it was never announced. */
  readonly quota: number | undefined;
  readonly window: number | undefined;
  /** Requests that are left in the window. */
  readonly remaining: number;
  readonly ends: number;
  /** Number of clients that share the window. */
  readonly clients: number;
}

/**
 * Estimate of the wait at a gate, if all clients want as much as this one: `ceil(max(0, need x n - r) / q)` windows.
 *
 * @param ahead number of asks of this client that go first
 * @param opens moment at which the gate opens
 * @param windows those that the ask has to pass
 */
export function gateEstimate(ahead: number, now: number, opens: number, windows: Iterable<GateWindow>): Estimate {
  const need = ahead + 1;
  let comes = Math.max(now, opens);
  let windowsLeft: number | undefined;
  let because = '';
  for (const { quota, window, remaining, ends, clients } of windows) {
    // A quota of 0 would never let anything pass; a server that announces 0 lets some requests pass all the same.
    if (!quota || window === undefined) continue;
    const more = Math.ceil(Math.max(0, need * clients - remaining) / quota);
    windowsLeft = Math.max(windowsLeft ?? 0, more);
    const begins = more === 0 ? now : ends + (more - 1) * window;
    if (begins <= comes) continue;
    comes = begins;
    because =
      `${counted(need, 'request')} x ${counted(Math.round(clients * 10) / 10, 'client')} - ${remaining} left, ` +
      `at ${quota} per ${formatDuration(window)}, take ${counted(more, 'more window')}; `;
  }
  const delay = comes - now;
  return { source: 'gate', delay, least: delay, windowsLeft, because };
}
