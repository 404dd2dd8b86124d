import { formatDuration } from '../../../../request/duration.js';
import { element } from '../../../../timeline/svg/element.js';
import { linearScale } from '../../../../timeline/svg/linearAxis.js';
import type { UploadTrace } from '../UploadTrace.js';
import { make, onFrame } from './dom.js';
import { drawMarks } from './drawMarks.js';
import type { Shown } from './PageData.js';
import type { Zoom } from './Zoom.js';

const HEIGHT = 64;
/** A shorter drag is a click, in px. */
const CLICK = 4;

/** The whole axis in small: requests in flight, and the part that is shown, which dragging chooses. */
export interface Overview {
  readonly element: HTMLElement;
  readonly draw: () => void;
}

/** Makes the overview. */
export function overview(shown: Shown, zoom: Zoom): Overview {
  const picture = make('div', { class: 'picture', role: 'img' });
  const brush = make('div', { class: 'brush' });
  const strip = make('div', { class: 'overview' }, picture, brush);
  let from: number | undefined;

  const draw = onFrame(() => {
    const width = Math.max(strip.clientWidth, 1);
    const scale = linearScale(0, zoom.end, width);
    const counts = inFlight(shown.trace, zoom.end, width);
    const most = Math.max(...counts, 1);
    picture.setAttribute('aria-label', `Requests in flight over ${formatDuration(zoom.end)}: ${most} at most at once`);
    const points = counts.map((count, x) => `${x} ${(HEIGHT - (count / most) * (HEIGHT - 12)).toFixed(1)}`);
    const area = element('path', { class: 'in-flight', d: `M0 ${HEIGHT}L${points.join('L')}L${width} ${HEIGHT}z` });
    const size = { width, height: HEIGHT, 'aria-hidden': 'true' };
    picture.innerHTML = element('svg', size, drawMarks(shown.trace, scale, width, HEIGHT) + area);
    showBrush(scale.after(zoom.from), scale.after(zoom.until), width);
  });
  const showBrush = (left: number, right: number, width: number): void => {
    brush.hidden = zoom.isWhole && from === undefined;
    brush.style.left = `${Math.max(left, 0)}px`;
    brush.style.width = `${Math.max(Math.min(right, width) - Math.max(left, 0), 2)}px`;
  };
  const placeOf = (event: PointerEvent): number => event.clientX - strip.getBoundingClientRect().left;

  strip.addEventListener('pointerdown', (event) => {
    from = placeOf(event);
    strip.setPointerCapture(event.pointerId);
  });
  strip.addEventListener('pointermove', (event) => {
    if (from === undefined) return;
    const to = placeOf(event);
    showBrush(Math.min(from, to), Math.max(from, to), strip.clientWidth);
  });
  strip.addEventListener('pointerup', (event) => {
    if (from === undefined) return;
    const [begin, to, perPx] = [from, placeOf(event), zoom.end / strip.clientWidth];
    from = undefined;
    if (Math.abs(to - begin) < CLICK) zoom.reset();
    else zoom.show(Math.min(begin, to) * perPx, Math.max(begin, to) * perPx);
  });
  new ResizeObserver(draw).observe(strip);
  return { element: strip, draw };
}

/** Requests in flight at each pixel. */
function inFlight({ rows }: UploadTrace, end: number, width: number): number[] {
  const changes = new Array<number>(width + 2).fill(0);
  const columnOf = (moment: number): number => Math.min(Math.floor((moment / end) * width), width);
  for (const { attempts } of rows) {
    for (const attempt of attempts) {
      const [first, last] = [columnOf(attempt.start), columnOf(attempt.end) + 1];
      changes[first] = (changes[first] ?? 0) + 1;
      changes[last] = (changes[last] ?? 0) - 1;
    }
  }
  let count = 0;
  return changes.slice(0, width + 1).map((change) => (count += change));
}
