import type { FleetScore } from './score.js';

const TITLES = ['', 'lost', 'end', 'sent', 'early', 'Jain', '429s'];

/** A table of named scores, as plain text. */
export function table(rows: readonly (readonly [name: string, score: FleetScore])[]): string {
  const cells = rows.map(([name, { lost, end, sent, early, fairness, mostRejections }]) => [
    name,
    lost.toFixed(1),
    end.toFixed(3),
    sent.toFixed(3),
    String(early),
    fairness.toFixed(2),
    String(mostRejections),
  ]);
  const lines = [TITLES, ...cells];
  const widths = TITLES.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '))
    .join('\n');
}
