import { checkOptions, type OptionTable } from '../request/checkOptions.js';
import { formatDuration } from '../request/duration.js';
import type { Timeline, TimelineRequest } from './TimelineData.js';
import { oneLine, outcomeOf, resultOf, sourceName, waitText } from './wording.js';

/** Options of {@link renderTable}. */
export interface TableOptions {
  /** Columns of the terminal, 40 or more; 80 by default. No line is longer. */
  readonly width?: number | undefined;
}

const OPTIONS: OptionTable<TableOptions> = { rules: { width: [(value) => Number(value) >= 40, '40 columns or more'] } };

const HEAD = ['', 'at', 'took', 'result', 'then'] as const;

/**
 * A timeline as a table, one line for each attempt, under a heading for each request.
 *
 *          at     took   result  then
 *     GET /users                                                       200 after 3.2 s
 *       1  0 s    0.1 s  429     waits 3 s (Retry-After; throttled)
 *       2  3.1 s  0.1 s  200
 *
 * Texts that do not fit are cut and end with `…`.
 *
 * @throws UsageError for a width under 40
 */
export function renderTable({ requests }: Timeline, options: TableOptions = {}): string {
  checkOptions('renderTable', options, OPTIONS);
  const { width = 80 } = options;
  const tables = requests.map(rowsOf);
  const rows = tables.flat();
  const widths = HEAD.map(({ length }, column) => rows.reduce((widest, cells) => Math.max(widest, cells[column]?.length ?? 0), length));
  const line = (cells: readonly string[]): string =>
    cut(`  ${cells.map((cell, i) => (i === 0 ? cell.padStart(widths[0] ?? 0) : cell.padEnd(widths[i] ?? 0))).join('  ')}`.trimEnd(), width);
  const blocks = requests.map((request, i) => [heading(request, width), ...(tables[i] ?? []).map(line)].join('\n'));
  return [line(HEAD), ...blocks].join('\n');
}

function heading(request: TimelineRequest, width: number): string {
  const outcome = cut(outcomeOf(request), width);
  const room = width - outcome.length - 2;
  const label = cut(oneLine(request.label), Math.max(room, 0));
  return label === '' ? outcome : `${label.padEnd(room)}  ${outcome}`;
}

function rowsOf(request: TimelineRequest): string[][] {
  const { attempts, waits, outcome } = request;
  const cells = (start: number, end: number): string[] => [formatDuration(start), formatDuration(end - start)];
  const gates = waits.filter(({ kind }) => kind === 'gate');
  const after = new Map<number, string[]>();
  for (const wait of waits) {
    if (wait.kind !== 'gate') after.set(wait.attempt, [...(after.get(wait.attempt) ?? []), waitText(wait)]);
  }
  const rows = [
    ...attempts.map((attempt) => ({
      at: attempt.start,
      order: attempt.number,
      cells: [
        String(attempt.number),
        ...cells(attempt.start, attempt.end),
        resultOf(attempt, request),
        (after.get(attempt.number) ?? []).join(', '),
      ],
    })),
    ...gates.map((wait) => ({
      at: wait.start,
      order: wait.attempt + 0.5,
      cells: [
        '',
        ...cells(wait.start, wait.end),
        '',
        `${outcome.type === 'running' && wait.end === request.end ? 'waits' : 'waited'} at the ${sourceName(wait.source)}`,
      ],
    })),
  ];
  return rows.sort((a, b) => a.at - b.at || a.order - b.order).map((row) => row.cells);
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(width - 1, 0)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
