import { UsageError } from '../../request/errors/UsageError.js';

const UNITS = { ms: 1, s: 1000, m: 60_000 } as const;

/** One amount of time as marbles write it: `3s`, `1.5s`, `200ms`. */
const AMOUNT = /^(\d+(?:\.\d+)?)(ms|s|m)$/;

/**
 * Milliseconds as marbles write them, in the largest units that fit.
 *
 *     3000 -> '3s'    3005 -> '3s 5ms'    605_000 -> '10m 5s'    0.5 -> '0.5ms'
 */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return `${ms}ms`;
  const minutes = Math.floor(ms / UNITS.m);
  const seconds = Math.floor((ms % UNITS.m) / UNITS.s);
  const rest = trimmed(ms - minutes * UNITS.m - seconds * UNITS.s);
  const parts = [minutes && `${minutes}m`, seconds && `${seconds}s`, rest && `${rest}ms`].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : '0ms';
}

/** Milliseconds of a duration: a finite number of them, or amounts with units, `'1m 30s'`. */
export function parseDuration(duration: number | string): number {
  if (Number.isFinite(duration)) return Number(duration);
  const amounts = String(duration).trim().split(/\s+/).map(parseAmount);
  if (amounts.includes(undefined)) {
    throw new UsageError(`'${duration}' is no duration: write milliseconds as a number, or amounts with units as in '1m 30s' and '200ms'`);
  }
  return amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);
}

/** Milliseconds of one amount with its unit; undefined when it is none. */
export function parseAmount(text: string): number | undefined {
  const [, amount, unit] = AMOUNT.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * UNITS[unit as keyof typeof UNITS];
}

/** Without the digits that only floating point numbers have: 0.069 x 1000 is 69.00000000000001. */
export function trimmed(ms: number): number {
  return Number(ms.toPrecision(12));
}
