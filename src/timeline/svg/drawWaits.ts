import { formatDuration } from '../../request/duration.js';
import type { TimelineRequest, TimelineWait } from '../TimelineData.js';
import { sourceName, waitedFor } from '../wording.js';
import { type Attributes, drawText, element, FONT, tooltip } from './element.js';
import { waitKind } from './kinds.js';
import { type Label, NARROW, type Placed, placeLabels, thinOut } from './placeLabels.js';
import type { TimeScale } from './timeScale.js';

/** Places of a request's waits on the axis; waits that took no time have none. */
export function placeWaits({ waits }: TimelineRequest, scale: TimeScale): Placed<TimelineWait>[] {
  return waits
    .filter((wait) => wait.end > wait.start)
    .map((part) => ({ part, x: scale.after(part.start), width: scale.before(part.end) - scale.after(part.start) }));
}

/** Hatched bars around the height `middle`. */
export function drawWaits(waits: readonly Placed<TimelineWait>[], middle: number): string[] {
  return thinOut(waits, ({ part }) => waitKind(part)).map((wait) => drawWait(wait, middle));
}

function drawWait({ part, x, width }: Placed<TimelineWait>, middle: number): string {
  const bar = (box: Attributes): string => element('rect', { class: `wait ${waitKind(part)}`, ...box });
  if (width < NARROW) return bar({ x, y: middle - 5, width, height: 10 });
  const text = `waits ${waitedFor(part)}: ${sourceName(part.source)}${part.capped ? ', capped' : ''} (${part.kind})`;
  const box = { x: x + 1, y: middle - 5, width: Math.max(width - 2, 1), height: 10, rx: 2 };
  return element('g', {}, tooltip(text) + element('rect', { class: 'under', ...box }) + bar(box));
}

/** Planned length and source of each wait, under it, where there is room. */
export function waitTexts(waits: readonly Placed<TimelineWait>[], width: number, middle: number): string[] {
  const line = (textsOf: (wait: TimelineWait) => readonly string[], y: number, size: number): string[] => {
    // A text a little wider than the hatching still reads as belonging to it.
    const labels = waits.map(({ part, x, width: room }): Label => ({ texts: textsOf(part), x: x + room / 2, room: room + 2.5 * size }));
    return placeLabels(labels, width, size, 'regular').map(({ text, x }) => drawText(text, x, y, 'quiet', size));
  };
  return [
    ...line((wait) => [waitedFor(wait), formatDuration(wait.end - wait.start)], middle + 22, FONT),
    ...line((wait) => [sourceName(wait.source)], middle + 36, FONT - 2),
  ];
}
