import { printable } from '../../../../request/printable.js';
import { formatDuration } from '../../../../request/duration.js';
import { shift } from '../../../../timeline/joinTimelines.js';
import { drawRow, rowHeight } from '../../../../timeline/svg/drawRow.js';
import { drawText, element } from '../../../../timeline/svg/element.js';
import { ticks } from '../../../../timeline/svg/ticks.js';
import { timeScale } from '../../../../timeline/svg/timeScale.js';
import { formatBytes } from '../../formatBytes.js';
import type { UploadRow } from '../UploadTrace.js';
import type { TimelineRequest } from '../../../../timeline/TimelineData.js';
import { sentenceOf } from '../words.js';
import { attemptTable } from './attemptTable.js';
import { byId, make } from './dom.js';
import type { Shown } from './PageData.js';

const LEAST = { attempt: 38, wait: 40 } as const;
const TICK_FONT = 13;
/** Room at the sides of the course, in px. */
const MARGIN = 12;

/** Opens the details of a row: its image, its course from close by, its attempts as a table. */
export function details(shown: Shown): (index: number) => void {
  const dialog = byId('details') as HTMLDialogElement;
  dialog.addEventListener('click', (event) => {
    // A click on the dialog element itself is one on the area around its content.
    if (event.target === dialog) dialog.close();
  });
  return (index) => {
    const row = shown.trace.rows[index];
    if (!row) return;
    const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close' }, '×');
    close.addEventListener('click', () => dialog.close());
    const image = shown.imageOf(row, index);
    const picture = make('div', { class: 'course' });
    dialog.replaceChildren(
      make(
        'div',
        { class: 'sheet' },
        make('h2', { id: 'details-title' }, printable(row.label)),
        close,
        make('p', {}, [...(row.bytes === undefined ? [] : [formatBytes(row.bytes)]), sentenceOf(row)].join('; ')),
        ...(row.reason === undefined ? [] : [make('p', { class: 'failure' }, row.reason)]),
        picture,
        ...(row.attempts.length > 0 ? [attemptTable(row)] : []),
        ...(image === undefined ? [] : [make('img', { src: image, alt: `Image ${printable(row.label)}` })]),
      ),
    );
    dialog.showModal();
    picture.innerHTML = closeUp(row, picture.clientWidth - 2 * MARGIN);
  };
}

/** The row from close by, from its first attempt or wait on, on an axis of the timeline's kind. */
function closeUp(whole: UploadRow, width: number): string {
  const requests = onlyRequests(whole);
  const row = shift(requests, -requests.start);
  const scale = timeScale([row], row.end, width, LEAST);
  const frame = { scale, aside: 0, width, until: row.end };
  const height = rowHeight(row, frame);
  const marks = ticks(row.end, scale.before, width, TICK_FONT).map(
    ({ x, label, labelX }) =>
      element('line', { class: 'grid', x1: x, x2: x, y1: 20, y2: height }) + drawText(label, labelX, height + 16, 'quiet', TICK_FONT),
  );
  const size = { width, height: height + 24, role: 'img', 'aria-label': `Attempts and waits, over ${formatDuration(row.end)}` };
  return element('svg', size, marks.join('') + drawRow(row, frame));
}

/** A row without its name, its steps, and the time until its first attempt or wait. */
function onlyRequests({ attempts, waits, outcome, end }: UploadRow): TimelineRequest {
  const start = Math.min(...[...attempts, ...waits].map((part) => part.start), end);
  return { label: '', start, end, attempts, waits, outcome };
}
