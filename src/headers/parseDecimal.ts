import { textOf } from './fields.js';

/**
 * Reads a number as vendors write it: digits, with a fraction if need be. No sign, no exponent.
 *
 * @returns the number, finite and 0 or more; `undefined` if it is none
 */
export function parseDecimal(value: string | null | undefined): number | undefined {
  const text = textOf(value);
  return text !== undefined && /^[ \t]*\d+(?:\.\d+)?[ \t]*$/.test(text) ? Math.min(Number(text), Number.MAX_VALUE) : undefined;
}
