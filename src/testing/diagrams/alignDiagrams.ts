import { formatMarbleTime } from './marbleTime.js';

/** Something to draw at a moment. */
export interface Mark {
  readonly frame: number;
  /** Character that marks the moment. */
  readonly symbol: string;
}

/** Diagrams whose equal moments stand in equal columns, and the column of each moment. */
export interface AlignedDiagrams {
  readonly lines: readonly string[];
  readonly column: (frame: number) => number;
}

/** Longest stretch of time that is drawn as dashes; longer ones are counted, as in `3s`. */
const MOST_DASHES = 3;

interface Cell {
  readonly frame: number;
  readonly text: string;
  /** The time since the end of the cell before it, in marble syntax. */
  readonly gap: string;
}

/**
 * Draws rows of marks as diagrams that RxJS can read, aligned by inserted spaces, which mean nothing to it.
 *
 *     3s     (a|)
 *     2s (a|)
 */
export function alignDiagrams(rows: readonly (readonly Mark[])[]): AlignedDiagrams {
  const cells = rows.map(toCells);
  const columns = columnsOf(cells);
  const lines = cells.map((row) => {
    let line = '';
    for (const { frame, text, gap } of row) {
      line = `${line}${line === '' ? gap.trimStart() : gap}`.padEnd(columns.get(frame) ?? 0) + text;
    }
    return line;
  });
  return { lines, column: (frame) => columns.get(frame) ?? 0 };
}

function toCells(marks: readonly Mark[]): Cell[] {
  const cells: Cell[] = [];
  let end = 0;
  for (const [frame, symbols] of groupByFrame(marks)) {
    cells.push({ frame, text: symbols.length > 1 ? `(${symbols.join('')})` : symbols.join(''), gap: drawGap(frame, end) });
    // The end is counted as RxJS does: each character takes 1 ms, the parentheses of a group too.
    end = frame + (symbols.length > 1 ? symbols.length + 2 : 1);
  }
  return cells;
}

function drawGap(frame: number, end: number): string {
  const gap = frame - end;
  if (gap === 0) return '';
  // A moment inside the time that the group before it takes on paper cannot be drawn.
  if (gap < 0) return ` @${formatMarbleTime(frame)} `;
  return gap <= MOST_DASHES && Number.isInteger(gap) ? '-'.repeat(gap) : ` ${formatMarbleTime(gap)} `;
}

function groupByFrame(marks: readonly Mark[]): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const { frame, symbol } of marks) {
    const group = groups.get(frame);
    if (group) group.push(symbol);
    else groups.set(frame, [symbol]);
  }
  return groups;
}

/** Columns of the moments, so that every row has room for the marks before each of them. */
function columnsOf(rows: readonly (readonly Cell[])[]): Map<number, number> {
  const drawn = rows.map((row) => ({ cells: new Map(row.map((cell) => [cell.frame, cell])), end: 0 }));
  const frames = [...new Set(rows.flatMap((row) => row.map(({ frame }) => frame)))].sort((a, b) => a - b);
  const columns = new Map<number, number>();
  let next = 0;
  for (const frame of frames) {
    let column = next;
    for (const { cells, end } of drawn) {
      const cell = cells.get(frame);
      if (cell) column = Math.max(column, end + (end === 0 ? cell.gap.trimStart() : cell.gap).length);
    }
    columns.set(frame, column);
    for (const row of drawn) {
      const cell = row.cells.get(frame);
      if (!cell) continue;
      row.end = column + cell.text.length;
      next = Math.max(next, row.end);
    }
  }
  return columns;
}
