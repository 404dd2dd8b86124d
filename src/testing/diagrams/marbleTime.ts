import { UsageError } from '../../request/errors/UsageError.js';
import { MINUTE, parseDuration, SECOND } from '../../request/duration.js';
import { elapsed } from '../../time.js';

/** The moment of virtual time, in ms, without the digits that jitter adds to it: 69 ms is 69 ms. */
export function frameNow(): number {
  return trimmed(elapsed());
}

/**
 * Milliseconds in marble syntax, exactly, in the largest units that fit.
 *
 *     3000 -> '3s'    3005 -> '3s 5ms'    605_000 -> '10m 5s'    0.5 -> '0.5ms'
 */
export function formatMarbleTime(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return `${ms}ms`;
  const minutes = Math.floor(ms / MINUTE);
  const seconds = Math.floor((ms % MINUTE) / SECOND);
  const rest = trimmed(ms - minutes * MINUTE - seconds * SECOND);
  const parts = [minutes && `${minutes}m`, seconds && `${seconds}s`, rest && `${rest}ms`].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : '0ms';
}

/** Milliseconds of a duration: a finite number of them, or amounts with units, `'1m 30s'`. */
export function parseMarbleTime(duration: number | string): number {
  const ms = Number.isFinite(duration) ? Number(duration) : parseDuration(String(duration));
  if (ms !== undefined) return ms;
  throw new UsageError(`'${duration}' is not a duration: write milliseconds as a number, or amounts with units as in '1m 30s' and '200ms'`);
}

/** Milliseconds without the digits that only floating point numbers have: 0.069 x 1000 is 69.00000000000001. */
export function trimmed(ms: number): number {
  return Number(ms.toPrecision(12));
}

/** A notification of an observable, received or expected, at a moment in ms. */
export type Moment =
  | { readonly frame: number; readonly kind: 'next'; readonly value: unknown }
  | { readonly frame: number; readonly kind: 'error'; readonly error: unknown }
  | { readonly frame: number; readonly kind: 'complete' };
