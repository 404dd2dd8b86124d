/**
 * Reads a number as vendors write it: digits, with a fraction if need be. No sign, no exponent.
 *
 * @returns the number, finite and 0 or more; `undefined` if it is none
 */
export function parseDecimal(value: string | null | undefined): number | undefined {
  return value != null && /^[ \t]*\d+(?:\.\d+)?[ \t]*$/.test(value) ? Math.min(Number(value), Number.MAX_VALUE) : undefined;
}
