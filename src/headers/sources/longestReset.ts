import type { HeadersLike } from '../HeadersLike.js';
import { parseDecimal } from '../parseDurations.js';

/** The fields about one of a vendor's limits. */
export interface LimitFields {
  /** Name of the field with the remaining units. */
  readonly remaining: string;
  /** Name of the field with the end of the window. */
  readonly reset: string;
}

/**
 * Longest time until one of a vendor's used-up limits resets, since all of them have to; 0 if that has passed.
 *
 * @param read makes milliseconds from now of a reset field's value
 */
export function longestReset(
  headers: HeadersLike,
  limits: readonly LimitFields[],
  read: (value: string | null) => number | undefined,
): number | undefined {
  let longest: number | undefined;
  for (const { remaining, reset } of limits) {
    const delay = parseDecimal(headers.get(remaining)) === 0 ? read(headers.get(reset)) : undefined;
    if (delay !== undefined) longest = Math.max(delay, longest ?? 0);
  }
  return longest;
}
