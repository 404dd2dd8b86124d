import { counted, printable } from '../../../../request/printable.js';
import { formatDuration } from '../../../../request/duration.js';
import { drawShapes } from '../../../../timeline/svg/drawRow.js';
import { drawText, element } from '../../../../timeline/svg/element.js';
import { linearScale, linearTicks } from '../../../../timeline/svg/linearAxis.js';
import { fitText } from '../../../../timeline/svg/textWidth.js';
import type { UploadRow } from '../UploadTrace.js';
import { activeTime, sentenceOf, stateOf, wordOf } from '../words.js';
import { make, onFrame } from './dom.js';
import { drawMarks } from './drawMarks.js';
import type { Shown } from './PageData.js';
import type { Zoom } from './Zoom.js';

/** Rows that are kept above and below those in sight. */
const BESIDE = 8;
/** Most rows that are printed. */
const PRINTED = 1_000;
/** Sizes of texts, in px. */
const [NAME_FONT, TICK_FONT] = [14, 12];
const HEAD = 34;
/** Expected share of a name's measured width: texts are measured for the widest fonts. A name that is wider after all is cut at its end. */
const NAME_SLACK = 1.2;
/** Width of the page, in px, on which a row has one line. */
const WIDE = '(min-width: 700px)';
/** Padding of the axis at its ends, in px: a glyph there is not cut. */
const AXIS_PADDING = 10;

/** The rows of a page, of which only those in sight exist. */
export interface Waterfall {
  readonly element: HTMLElement;
  /** Shows these rows, by their indices. */
  readonly show: (indices: readonly number[]) => void;
  /** Draws changes: the rows with these indices, or, without any, all. */
  readonly refresh: (changed?: readonly number[]) => void;
  /** Goes to the row at a position. */
  readonly select: (position: number) => void;
}

interface Geometry {
  readonly isWide: boolean;
  readonly rowHeight: number;
  readonly axisLeft: number;
  readonly axisWidth: number;
  readonly nameWidth: number;
}

/** Makes the waterfall. `open` is called with the index of a row whose details are asked for. */
export function waterfall(shown: Shown, zoom: Zoom, open: (index: number) => void): Waterfall {
  const ruler = make('div', { 'aria-hidden': 'true' });
  const axisHead = make('div', { role: 'columnheader', class: 'axis' }, make('span', { class: 'unseen' }, 'Course'), ruler);
  const nameHead = make('div', { role: 'columnheader', class: 'name' }, 'File');
  const head = make(
    'div',
    { role: 'row', class: 'head', 'aria-rowindex': 1 },
    nameHead,
    make('div', { role: 'columnheader', class: 'word' }, 'Result'),
    make('div', { role: 'columnheader', class: 'took' }, 'Took'),
    axisHead,
  );
  const back = make('div', { class: 'back', 'aria-hidden': 'true' });
  const body = make('div', { role: 'rowgroup', class: 'rows' });
  const empty = make('p', { class: 'empty', hidden: '' }, 'No row is like that.');
  const grid = make(
    'div',
    { id: 'grid', role: 'grid', tabindex: 0, 'aria-label': 'Files and their course', 'aria-describedby': 'keys' },
    make('div', { role: 'rowgroup', class: 'heads' }, head),
    back,
    body,
  );
  const wrapper = make('div', { class: 'waterfall' }, grid, empty);
  const media = matchMedia(WIDE);
  const drawn = new Map<number, HTMLElement>();
  let indices: readonly number[] = [];
  let active = 0;
  let printing = false;
  let isStale = false;
  let known: Geometry | undefined;

  const measure = (): Geometry => (isStale ? (known = measureNow()) : (known ??= measureNow()));
  const measureNow = (): Geometry => {
    const isWide = media.matches;
    const { left, width } = axisHead.getBoundingClientRect();
    return {
      isWide,
      rowHeight: isWide ? 28 : 54,
      axisLeft: left - grid.getBoundingClientRect().left - grid.clientLeft + AXIS_PADDING,
      axisWidth: Math.max(width - 2 * AXIS_PADDING, 1),
      nameWidth: NAME_SLACK * (isWide ? nameHead.getBoundingClientRect().width - 20 : width - 160),
    };
  };

  const draw = onFrame(() => drawNow());

  function drawNow(): void {
    const geometry = measure();
    const { rowHeight } = geometry;
    body.style.height = `${indices.length * rowHeight}px`;
    const first = Math.max(Math.floor((grid.scrollTop - HEAD) / rowHeight) - BESIDE, 0);
    const last = printing
      ? Math.min(indices.length, PRINTED)
      : Math.min(Math.ceil((grid.scrollTop + grid.clientHeight) / rowHeight) + BESIDE, indices.length);
    if (isStale) {
      drawHead(geometry);
      for (const row of drawn.values()) row.remove();
      drawn.clear();
      isStale = false;
    }
    const wanted = new Set<number>();
    for (let position = printing ? 0 : first; position < last; position++) wanted.add(position);
    for (const [position, row] of drawn) {
      if (wanted.has(position)) continue;
      row.remove();
      drawn.delete(position);
    }
    for (const position of wanted) {
      if (drawn.has(position)) continue;
      const index = indices[position];
      const row = index === undefined ? undefined : shown.trace.rows[index];
      if (index === undefined || !row) continue;
      const made = drawRow(row, index, position, geometry);
      drawn.set(position, made);
      body.append(made);
    }
    mark();
  }

  function drawHead({ axisLeft, axisWidth }: Geometry): void {
    const height = Math.max(grid.clientHeight, 1);
    const ticks = linearTicks(zoom.from, zoom.until, axisWidth, TICK_FONT);
    const texts = ticks.map(({ label, labelX }) => drawText(label, labelX + AXIS_PADDING, 21, 'quiet', TICK_FONT)).join('');
    ruler.innerHTML = element('svg', { width: axisWidth + 2 * AXIS_PADDING, height: HEAD }, texts);
    const lines = ticks.map(({ x }) => element('line', { class: 'grid', x1: x, x2: x, y1: 0, y2: height })).join('');
    const scale = linearScale(zoom.from, zoom.until, axisWidth);
    back.innerHTML = element('svg', { width: axisWidth, height }, drawMarks(shown.trace, scale, axisWidth, height) + lines);
    back.style.left = `${axisLeft}px`;
  }

  function drawRow(row: UploadRow, index: number, position: number, { isWide, rowHeight, axisWidth, nameWidth }: Geometry): HTMLElement {
    const state = stateOf(row);
    const label = printable(row.label);
    const scale = linearScale(zoom.from, zoom.until, axisWidth);
    const middle = isWide ? rowHeight / 2 : 15;
    const shapes = element('g', { transform: `translate(${AXIS_PADDING} 0)` }, drawShapes(row, { scale, until: zoom.until }, middle));
    const axis = make('div', { role: 'gridcell', class: 'axis' });
    const size = { width: axisWidth + 2 * AXIS_PADDING, height: 2 * middle };
    axis.innerHTML = element('svg', { role: 'img', 'aria-label': sentenceOf(row), ...size }, shapes);
    const made = make(
      'div',
      { role: 'row', class: `row ${state} ${row.kind}`, id: `row-${index}`, 'aria-rowindex': position + 2 },
      make('div', { role: 'gridcell', class: 'name', title: label }, fitText(label, nameWidth, NAME_FONT, 'regular', 'end')),
      make('div', { role: 'gridcell', class: 'word' }, wordOf(row)),
      make('div', { role: 'gridcell', class: 'took' }, formatDuration(activeTime(row))),
      axis,
    );
    made.style.top = `${position * rowHeight}px`;
    made.addEventListener('click', () => {
      active = position;
      mark();
      open(index);
    });
    return made;
  }

  function mark(): void {
    for (const [position, row] of drawn) {
      row.classList.toggle('active', position === active);
      row.setAttribute('aria-selected', String(position === active));
    }
    const row = drawn.get(active);
    if (row) grid.setAttribute('aria-activedescendant', row.id);
    else grid.removeAttribute('aria-activedescendant');
  }

  function select(position: number): void {
    active = Math.min(Math.max(position, 0), Math.max(indices.length - 1, 0));
    const { rowHeight } = measure();
    const [top, room] = [active * rowHeight, grid.clientHeight - HEAD];
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top + rowHeight > grid.scrollTop + room) grid.scrollTop = top + rowHeight - room;
    drawNow();
  }

  /** All rows are drawn anew, in one frame: none is missing in between, when a printer looks. */
  function redraw(): void {
    isStale = true;
    draw();
  }

  const page = (): number => Math.max(Math.floor((grid.clientHeight - HEAD) / measure().rowHeight) - 1, 1);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => select(active + 1),
    ArrowUp: () => select(active - 1),
    PageDown: () => select(active + page()),
    PageUp: () => select(active - page()),
    Home: () => select(0),
    End: () => select(indices.length - 1),
    ArrowLeft: () => zoom.pan(-0.2),
    ArrowRight: () => zoom.pan(0.2),
    '+': () => zoom.scale(0.5),
    '=': () => zoom.scale(0.5),
    '-': () => zoom.scale(2),
    '0': () => zoom.reset(),
    Enter: () => {
      const index = indices[active];
      if (index !== undefined) open(index);
    },
  };
  grid.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  grid.addEventListener('scroll', draw, { passive: true });
  grid.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { axisLeft, axisWidth } = measure();
      const share = (event.clientX - grid.getBoundingClientRect().left - axisLeft) / axisWidth;
      zoom.scale(event.deltaY > 0 ? 1.25 : 0.8, zoom.from + (zoom.until - zoom.from) * share);
    },
    { passive: false },
  );
  new ResizeObserver(redraw).observe(grid);
  media.addEventListener('change', redraw);
  for (const [moment, is] of [
    ['beforeprint', true],
    ['afterprint', false],
  ] as const) {
    addEventListener(moment, () => {
      printing = is;
      document.body.classList.toggle('printing', is);
      isStale = true;
      drawNow();
    });
  }

  return {
    element: wrapper,
    show: (found) => {
      indices = found;
      active = Math.min(active, Math.max(found.length - 1, 0));
      grid.setAttribute('aria-rowcount', String(found.length + 1));
      grid.setAttribute('aria-label', `Course of ${counted(found.length, 'row')}`);
      empty.hidden = found.length > 0;
      redraw();
    },
    refresh: (changed) => {
      if (!changed) {
        redraw();
        return;
      }
      const stale = new Set(changed);
      for (const [position, row] of drawn) {
        const index = indices[position];
        if (index !== undefined && !stale.has(index)) continue;
        row.remove();
        drawn.delete(position);
      }
      draw();
    },
    select,
  };
}
