import { counted } from '../../../request/printable.js';
import { formatDuration } from '../../../request/duration.js';
import { resultOf } from '../../../timeline/wording.js';
import type { UploadRow, UploadTrace } from './UploadTrace.js';

/** Outcome of an upload in a few words: `35 of 36 files uploaded`. */
export function titleOf({ state, totals: { files, arrived } }: Pick<UploadTrace, 'state' | 'totals'>): string {
  const title = `${arrived} of ${counted(files, 'file')} uploaded`;
  if (state === 'running') return `${title} so far`;
  return state === 'stopped' ? `${title}, then stopped` : title;
}

/** Class of a row's outcome, by which rows are filtered and coloured. */
export type RowState = 'arrived' | 'unsent' | 'failed' | 'running' | 'stopped';

/** The class of a row's outcome. */
export function stateOf({ outcome, how }: UploadRow): RowState {
  switch (outcome.type) {
    case 'answered':
      return how === 'kept' || how === 'duplicate' ? 'unsent' : 'arrived';
    case 'aborted':
      return 'stopped';
    case 'running':
      return 'running';
    default:
      return 'failed';
  }
}

const WAYS = { sent: 'sent', kept: 'already there', duplicate: 'same bytes as another file' } as const;

/** Outcome of a row in a word or two. */
export function wordOf(row: UploadRow): string {
  const last = row.attempts.at(-1);
  switch (stateOf(row)) {
    case 'failed':
      return `failed${last ? `: ${resultOf(last, row)}` : ''}`;
    case 'running':
      return row.waits.some(({ end }) => end === row.end) ? 'waits' : last ? 'in flight' : 'queued';
    case 'stopped':
      return 'stopped';
    default:
      return row.how === undefined ? 'done' : WAYS[row.how];
  }
}

/** A row in one sentence, for people who cannot see its picture. */
export function sentenceOf(row: UploadRow): string {
  const { attempts, waits, end } = row;
  const waited = waits.reduce((sum, wait) => sum + wait.end - wait.start, 0);
  return [
    `${wordOf(row)} at ${formatDuration(end)}, after ${formatDuration(activeTime(row))}`,
    ...(attempts.length > 1 ? [`${counted(attempts.length, 'attempt')} (${attempts.map((each) => resultOf(each, row)).join(', ')})`] : []),
    ...(waited > 0 ? [`${formatDuration(waited)} waited`] : []),
  ].join('; ');
}

/**
 * Milliseconds of a row's own work: from its first attempt or wait to its end. The time before, in which it stood in the queue, is not its
 * own. For a file without either, the milliseconds of its reading.
 */
export function activeTime({ kind, attempts, waits, steps = [], start, end }: UploadRow): number {
  const begins = [...attempts, ...waits].map((part) => part.start);
  if (begins.length > 0) return end - Math.min(...begins);
  return kind === 'file' ? steps.reduce((sum, step) => sum + step.end - step.start, 0) : end - start;
}
