import { textOf } from './fields.js';

/**
 * Reads the delay-seconds of RFC 9110 section 10.2.3, and nothing else: digits, with white space around them allowed. A sign, a fraction,
 * a date or a repeated field (`3, 3`) is invalid.
 *
 *     parseDelaySeconds('120')    // 120000
 *     parseDelaySeconds('1.5')    // undefined
 *
 * @returns milliseconds, finite; a number too large for a double is `Number.MAX_VALUE`
 */
export function parseDelaySeconds(value: string | null | undefined): number | undefined {
  const text = textOf(value);
  return text !== undefined && /^[ \t]*\d+[ \t]*$/.test(text) ? Math.min(Number(text) * 1000, Number.MAX_VALUE) : undefined;
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 1e-3, µs: 1e-3, μs: 1e-3, ns: 1e-6 };

/**
 * Reads a duration as Go prints it: `6m0s`, `12ms`, `1h2m3.5s`. A number without a unit and a negative duration are `undefined`.
 *
 * @returns milliseconds, finite
 */
export function parseGoDuration(value: string | null | undefined): number | undefined {
  const text = textOf(value);
  if (text === undefined || !/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|[µμ]s|ns))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)(\D+)/g)) total += Number(amount) * (UNITS[unit] ?? 0);
  return Math.min(total, Number.MAX_VALUE);
}

/**
 * Reads a number as vendors write it: digits, with a fraction if need be. No sign, no exponent.
 *
 * @returns the number, finite and 0 or more; `undefined` if it is none
 */
export function parseDecimal(value: string | null | undefined): number | undefined {
  const text = textOf(value);
  return text !== undefined && /^[ \t]*\d+(?:\.\d+)?[ \t]*$/.test(text) ? Math.min(Number(text), Number.MAX_VALUE) : undefined;
}
