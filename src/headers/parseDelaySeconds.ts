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
