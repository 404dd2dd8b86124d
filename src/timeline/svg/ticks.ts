import { formatTime } from '../formatTime.js';
import { textWidth } from './textWidth.js';

/** A labelled moment of the axis. */
export interface Tick {
  readonly moment: number;
  readonly label: string;
  readonly x: number;
}

/** Round times, the roundest first: a scale that is not linear takes from them what it has room for. */
const STEPS = [86_400, 21_600, 3600, 1800, 600, 300, 60, 30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001].map(
  (s) => s * 1000,
);

/** So many multiples of a step are round numbers: 20 s is one and 21 s is none. */
const MOST = 10;

/**
 * Ticks at round times, as many as fit: the roundest first, each only where no other stands too near. 0 is always one.
 *
 * @param until the last moment
 * @param positionOf where a moment stands, in px
 * @param width of the axis, in px
 */
export function ticks(until: number, positionOf: (moment: number) => number, width: number, fontSize: number): Tick[] {
  const placed: Tick[] = [];
  const tryAt = (moment: number): void => {
    const label = formatTime(moment);
    const x = positionOf(moment);
    const half = textWidth(label, fontSize) / 2;
    const clear = placed.every((tick) => Math.abs(tick.x - x) > half + textWidth(tick.label, fontSize) / 2 + fontSize);
    if (clear && x + half <= width + fontSize) placed.push({ moment, label, x });
  };
  tryAt(0);
  for (const step of STEPS) {
    for (let i = 1; i <= Math.min(MOST, until / step); i++) tryAt(i * step);
  }
  return placed.sort((a, b) => a.x - b.x);
}
