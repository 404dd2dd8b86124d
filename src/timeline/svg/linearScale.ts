import type { TimeScale } from './timeScale.js';

/**
 * An axis on which equal times have equal widths, for pictures that can be magnified. Moments outside of it stand outside of 0 to `width`.
 *
 * @param from the moment at its left edge
 * @param until the moment at its right edge, later than `from`
 * @param width of the axis, in px
 */
export function linearScale(from: number, until: number, width: number): TimeScale {
  const at = (moment: number): number => ((moment - from) / (until - from)) * width;
  return { before: at, after: at };
}
