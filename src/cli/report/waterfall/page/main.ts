import { counted } from '../../../../request/printable.js';
import { totalsMarkup } from '../totalsMarkup.js';
import { titleOf } from '../words.js';
import { details } from './details.js';
import { byId, make, onFrame } from './dom.js';
import { follow } from './follow.js';
import { overview } from './overview.js';
import type { PageData, Shown } from './PageData.js';
import { pageLegend } from './pageLegend.js';
import { filterRows } from './rowFilter.js';
import { slowest } from './slowest.js';
import { toolbar } from './toolbar.js';
import { waterfall } from './waterfall.js';
import { Zoom } from './Zoom.js';

const { trace, thumbnails, live } = JSON.parse(byId('data').textContent) as PageData;
const shown: Shown = {
  trace,
  imageOf: ({ label, kind }, index) => (live === undefined ? thumbnails[label] : kind === 'file' ? `files/${index}` : undefined),
};
const open = details(shown);
const zoom = new Zoom(trace.end, () => {
  rows.refresh();
  strip.draw();
});
const rows = waterfall(shown, zoom, open);
const strip = overview(shown, zoom);
const controls = toolbar(zoom, showRows);
const shapes = pageLegend(shown);
const cards = make('div', {}, slowest(shown, open));
const status = make('p', { role: 'status', class: 'status' });

byId('main').append(
  make(
    'section',
    { 'aria-labelledby': 'waterfall-title' },
    make('h2', { id: 'waterfall-title' }, 'Course of the upload'),
    status,
    strip.element,
    controls.element,
    rows.element,
    shapes.element,
    make(
      'p',
      { id: 'keys', class: 'quiet keys' },
      'Keys in the list: arrows move and pan, + and − zoom, 0 shows all, Enter opens a row. Drag over the strip to zoom, click it to show all.',
    ),
  ),
  make('section', { 'aria-labelledby': 'slowest-title' }, make('h2', { id: 'slowest-title' }, 'Failed and slowest files'), cards),
);
showRows();
strip.draw();
shapes.draw();
if (live !== undefined) {
  const drawRest = onFrame(() => {
    byId('head').innerHTML = totalsMarkup(shown.trace);
    document.title = titleOf(shown.trace);
    // Pictures that come and go would be in the way of the reader.
    if (shown.trace.state !== 'running') cards.replaceChildren(slowest(shown, open));
    shapes.draw();
  });
  follow(
    trace,
    live,
    (next, changed) => {
      const isLonger = next.rows.length > shown.trace.rows.length;
      shown.trace = next;
      const wasWhole = zoom.isWhole;
      zoom.extend(next.end);
      strip.draw();
      drawRest();
      if (isLonger) showRows();
      else rows.refresh(wasWhole ? undefined : changed);
    },
    (words) => {
      status.textContent = words;
    },
  );
}

function showRows(): void {
  const { rows: all } = shown.trace;
  const found = filterRows(all, controls.filter());
  rows.show(found);
  controls.showCount(found.length === all.length ? counted(all.length, 'row') : `${found.length} of ${counted(all.length, 'row')}`);
}
