import type { AlignedDiagrams } from './alignDiagrams.js';
import type { Difference } from './compareMoments.js';

/** As much of a diagram as a terminal shows in one line, with its title. */
const WIDEST = 110;

const NOTHING = '(nothing)';

/**
 * Diagrams under their titles, and a mark where they differ. Of long ones, what is around the difference.
 *
 *     expected  3s     (a|)
 *     received  2s (a|)
 *     differs      ^ "done" came at 2s, 1s too early
 */
export function drawDifference(titles: readonly string[], { lines, column }: AlignedDiagrams, difference: Difference): string[] {
  const at = column(difference.frame);
  const start = lines.some((line) => line.length > WIDEST) ? Math.max(0, at - WIDEST / 2) : 0;
  const shown = lines.map((line) => crop(line, start) || NOTHING);
  const mark = ' '.repeat(at - start + (start > 0 ? 1 : 0));
  return [...shown.map((line, index) => `${titles[index % titles.length] ?? ''}  ${line}`), `differs   ${mark}^ ${difference.reason}`];
}

function crop(line: string, start: number): string {
  const end = start + WIDEST;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${line.length > end ? '…' : ''}`;
}
