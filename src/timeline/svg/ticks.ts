import { formatDuration, HOUR, MINUTE, SECOND } from '../../request/duration.js';
import { textWidth } from './textWidth.js';

/** A labelled moment of the axis. */
export interface Tick {
  readonly moment: number;
  readonly x: number;
  readonly label: string;
  /** The middle of the label, which does not go far beyond the ends of the axis. */
  readonly labelX: number;
}

/** Round times, the roundest first, and how many multiples of each are round as well: 20 s is, 22 s is not. */
const STEPS: readonly (readonly [step: number, multiples: number])[] = [
  [24 * HOUR, 31],
  [6 * HOUR, 4],
  [2 * HOUR, 12],
  [HOUR, 12],
  [30 * MINUTE, 4],
  [10 * MINUTE, 6],
  [5 * MINUTE, 6],
  [MINUTE, 10],
  [30 * SECOND, 4],
  [10 * SECOND, 6],
  ...[SECOND, 100, 10, 1].flatMap((unit) => [[2 * unit, 5] as const, [5 * unit, 10] as const, [unit, 10] as const]),
];

/**
 * Ticks at round times: the roundest first, then each gap between two of them is divided as finely as it has room for. A scale that is not
 * linear has finer ticks where it is wider. 0 is always one.
 *
 * @param until the last moment
 * @param positionOf where a moment stands, in px
 * @param width of the axis, in px
 */
export function ticks(until: number, positionOf: (moment: number) => number, width: number, fontSize: number): Tick[] {
  // 5 s takes no less room than 10 s, or the gaps on its sides would be divided differently.
  const sizeOf = (label: string): number => Math.max(textWidth(label, fontSize, 'regular'), textWidth('00 s', fontSize, 'regular'));
  const tickAt = (moment: number): Tick => {
    const [x, label] = [positionOf(moment), formatDuration(moment)];
    const reach = textWidth(label, fontSize, 'regular') / 4;
    return { moment, x, label, labelX: Math.min(Math.max(x, reach), width - reach) };
  };
  const areClear = (a: Tick, b: Tick): boolean => b.labelX - a.labelX > (sizeOf(a.label) + sizeOf(b.label)) / 2 + fontSize;

  let placed = [tickAt(0)];
  for (const [step, multiples] of STEPS) {
    const round = Array.from({ length: Math.min(multiples, Math.floor(until / step)) }, (_, i) => (i + 1) * step);
    placed = placed.flatMap((left, i) => {
      const right = placed[i + 1];
      if (left.moment % step !== 0 || (right?.moment ?? 0) % step !== 0) return [left];
      const between = round.filter((moment) => moment > left.moment && moment < (right?.moment ?? Infinity)).map(tickAt);
      const row = [left, ...between, ...(right ? [right] : [])];
      const fits = row.every((tick, j) => j === 0 || areClear(row[j - 1] ?? left, tick));
      return fits ? [left, ...between] : [left];
    });
  }
  return placed;
}
