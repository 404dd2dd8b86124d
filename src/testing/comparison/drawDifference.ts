import type { AlignedDiagrams } from '../diagrams/alignDiagrams.js';
import type { Difference } from './compareMoments.js';

/** Columns of a diagram in one line of a terminal with 80 columns, beside its title and the marks of cut parts. */
const WIDEST = 68;

const NOTHING = '(nothing)';

/**
 * Diagrams under their titles, and a mark where they differ. Long diagrams are cut to the part around the difference.
 *
 *     expected  3s     (a|)
 *     received  2s (a|)
 *     differs      ^ "done" came at 2s, 1s too early
 */
export function drawDifference(titles: readonly string[], { lines, column }: AlignedDiagrams, difference: Difference): string[] {
  const at = column(difference.frame);
  const last = Math.max(...lines.map((line) => line.length), 0) - WIDEST;
  const start = Math.max(0, Math.min(at - WIDEST / 2, last));
  const shown = lines.map((line) => crop(line, start) || NOTHING);
  const mark = ' '.repeat(at - start + (start > 0 ? 1 : 0));
  return [...shown.map((line, index) => `${titles[index % titles.length] ?? ''}  ${line}`), `differs   ${mark}^ ${difference.reason}`];
}

function crop(line: string, start: number): string {
  const end = start + WIDEST;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${line.length > end ? '…' : ''}`;
}
