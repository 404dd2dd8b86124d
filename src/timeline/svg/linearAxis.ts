import { formatDuration, HOUR, MINUTE, SECOND } from '../../request/duration.js';
import { textWidth } from './textWidth.js';
import type { Tick } from './ticks.js';
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

/** Distances between ticks, in ms. */
const STEPS = [
  ...[1, 10, 100, SECOND].flatMap((unit) => [unit, 2 * unit, 5 * unit]),
  ...[10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR),
];

/** Room that a label wants beside it, in px. */
const GAP = 28;

/**
 * Ticks of a {@link linearScale} at multiples of a round time, as close as their labels allow.
 *
 * @param from the moment at the left edge
 * @param until the moment at the right edge, later than `from`
 * @param width of the axis, in px
 */
export function linearTicks(from: number, until: number, width: number, fontSize: number): Tick[] {
  const positionOf = (moment: number): number => ((moment - from) / (until - from)) * width;
  const momentsOf = (step: number): number[] => {
    const first = Math.ceil(from / step);
    return Array.from({ length: Math.max(Math.floor(until / step) - first + 1, 0) }, (_, i) => (first + i) * step);
  };
  const largest = 24 * HOUR * Math.max(1, Math.ceil((until - from) / (24 * HOUR * 4)));
  const step = STEPS.find((each) => positionOf(from + each) >= sizeOf(until, each, fontSize) + GAP) ?? largest;
  return momentsOf(step).map((moment) => {
    const [x, label] = [positionOf(moment), labelOf(moment, step)];
    const reach = textWidth(label, fontSize, 'regular') / 2;
    return { moment, x, label, labelX: Math.min(Math.max(x, reach), width - reach) };
  });
}

function sizeOf(moment: number, step: number, fontSize: number): number {
  return textWidth(labelOf(moment, step), fontSize, 'regular');
}

/** Seconds with as many decimals as the distance has, so that no two ticks have the same label. */
function labelOf(moment: number, step: number): string {
  if (step >= SECOND || moment === 0) return formatDuration(moment);
  return `${(moment / SECOND).toFixed(step >= 100 ? 1 : step >= 10 ? 2 : 3)} s`;
}
