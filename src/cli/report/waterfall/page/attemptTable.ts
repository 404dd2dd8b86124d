import { formatDuration } from '../../../../request/duration.js';
import { resultOf, waitText } from '../../../../timeline/wording.js';
import type { UploadRow } from '../UploadTrace.js';
import { make } from './dom.js';

const HEAD = ['Attempt', 'At', 'Took', 'Result', 'Then'] as const;

/** Attempts of a row, and the waits after each, as a table. */
export function attemptTable(row: UploadRow): HTMLElement {
  const cells = row.attempts.map((attempt) => [
    String(attempt.number),
    formatDuration(attempt.start),
    formatDuration(attempt.end - attempt.start),
    resultOf(attempt, row),
    row.waits
      .filter((wait) => wait.attempt === attempt.number && wait.start >= attempt.end)
      .map(waitText)
      .join(', '),
  ]);
  return make(
    'div',
    { class: 'attempts', tabindex: 0, role: 'region', 'aria-label': 'Attempts' },
    make(
      'table',
      {},
      make('thead', {}, make('tr', {}, ...HEAD.map((name) => make('th', { scope: 'col' }, name)))),
      make('tbody', {}, ...cells.map((texts) => make('tr', {}, ...texts.map((text) => make('td', {}, text))))),
    ),
  );
}
