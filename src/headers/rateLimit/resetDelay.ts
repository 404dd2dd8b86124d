import type { QuotaWindow } from '../QuotaWindow.js';

/** Longest reset that counts, in ms: 24 h. A longer one is a mistake, or of no use. */
export const MAX_RESET = 86_400_000;

const HOUR = 3_600_000;

/** Rounding of announced times, in ms; a reset of less is not taken for milliseconds. */
const ROUNDING = 1000;

/** Facts beside a reset that tell its unit. Durations in ms. */
export interface ResetContext {
  /** Server's clock, in ms since 1970. */
  readonly clock: number;
  /** Length of the window that the reset ends, where it is known. */
  readonly window?: number | undefined;
  /** Delay that the same answer asks for. */
  readonly asked?: number | undefined;
}

/**
 * Delay that a reset field means: above 1e12 it is milliseconds since 1970, above 1e9 seconds since 1970, else seconds from now, or milliseconds
 * where these cannot be seconds. The same field name carries all four at different vendors.
 *
 * @returns milliseconds from now, 0 to 24 h; beyond, it is a mistake or of no use: `undefined`
 */
export function resetDelay(value: number | undefined, { clock, window, asked }: ResetContext): number | undefined {
  if (value === undefined || value < 0) return undefined;
  const delay =
    value > 1e12 ? value - clock : value > 1e9 ? value * 1000 - clock : isMilliseconds(value, window, asked) ? value : value * 1000;
  return delay <= MAX_RESET ? Math.max(delay, 0) : undefined;
}

/**
 * True if a relative reset is in milliseconds. A `Retry-After` of the same length decides, where the reset would be hours away if read as
 * seconds. Otherwise the window's length decides: read as seconds the reset would exceed it at least twice over, read as milliseconds it
 * fits.
 */
function isMilliseconds(value: number, window = Infinity, asked = NaN): boolean {
  const seconds = value * 1000;
  if (Math.abs(asked - seconds) <= ROUNDING) return false;
  if (seconds > HOUR && Math.abs(asked - value) <= ROUNDING) return true;
  return value >= ROUNDING && value <= window + ROUNDING && seconds > 2 * window;
}

/** Reader of a reset field's number, for the window that it ends: milliseconds from now, or `undefined` for a useless number. */
export type ResetReader = (value: number | undefined, live: QuotaWindow) => number | undefined;
