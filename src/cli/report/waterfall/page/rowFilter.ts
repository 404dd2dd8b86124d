import type { UploadRow } from '../UploadTrace.js';
import { activeTime, type RowState, stateOf } from '../words.js';

/** Choice of the rows that are shown, and of their order. */
export interface RowFilter {
  /** Part of the name, in any case. */
  readonly text: string;
  readonly only: keyof typeof ROW_CHOICES;
  readonly order: keyof typeof ROW_ORDERS;
}

const isIn =
  (state: RowState) =>
  (row: UploadRow): boolean =>
    stateOf(row) === state;

/** Choices of rows, by the words for them. */
export const ROW_CHOICES = {
  'all rows': () => true,
  failed: isIn('failed'),
  'sent again': ({ attempts }: UploadRow) => attempts.length > 1,
  'answered 429': ({ attempts }: UploadRow) => attempts.some(({ status }) => status === 429),
  waited: ({ waits }: UploadRow) => waits.length > 0,
  arrived: isIn('arrived'),
  'not sent': isIn('unsent'),
  unfinished: (row: UploadRow) => ['running', 'stopped'].includes(stateOf(row)),
} as const;

/** Orders of rows, by the words for them. */
export const ROW_ORDERS = {
  'first begun': () => 0,
  'slowest first': (a: UploadRow, b: UploadRow) => activeTime(b) - activeTime(a),
  'first sent': (a: UploadRow, b: UploadRow) => sentAt(a) - sentAt(b),
  'by name': (a: UploadRow, b: UploadRow) => (a.label < b.label ? -1 : 1),
} as const;

function sentAt({ attempts, waits, end }: UploadRow): number {
  return Math.min(attempts[0]?.start ?? end, waits[0]?.start ?? end);
}

/** The indices of the rows that are shown, in their order. */
export function filterRows(rows: readonly UploadRow[], { text, only, order }: RowFilter): number[] {
  const wanted = text.trim().toLowerCase();
  const isChosen = ROW_CHOICES[only];
  const found = rows.flatMap((row, index) => (isChosen(row) && row.label.toLowerCase().includes(wanted) ? [{ row, index }] : []));
  return found.sort((a, b) => ROW_ORDERS[order](a.row, b.row)).map(({ index }) => index);
}
