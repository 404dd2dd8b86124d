import { formatTime } from '../formatTime.js';
import type { TimelineAttempt, TimelineRequest, TimelineWait } from '../TimelineData.js';
import { outcomeOf, resultOf, sourceName } from '../wording.js';
import { element, escapeText, tooltip } from './element.js';
import { GLYPH, glyph } from './glyphs.js';
import { attemptKind, waitKind } from './kinds.js';
import { type Label, placeLabels } from './placeLabels.js';
import { fitText, textWidth } from './textWidth.js';
import type { TimeScale } from './timeScale.js';

/** What all rows of a picture share. */
export interface RowFrame {
  readonly scale: TimeScale;
  /** Room for the row's name beside it; 0: the name stands above, with the outcome, and texts stand at the shapes. */
  readonly aside: number;
  /** The axis, in px, without `aside`. */
  readonly width: number;
  /** The last moment that is shown. */
  readonly until: number;
}

/** Size of the texts in a row, in px. */
export const FONT = 14;

/** The height of a row, in px: one without waits needs no room for their names. */
export function rowHeight({ waits }: TimelineRequest, { aside }: RowFrame): number {
  if (aside > 0) return 26;
  return waits.some(({ start, end }) => end > start) ? 98 : 72;
}

/** A piece of a row on the axis. */
interface Placed<T> {
  readonly part: T;
  readonly x: number;
  readonly width: number;
}

/** Draws a request: a bar for each attempt, its glyph at the end, hatching for each wait, and what they are called. */
export function drawRow(request: TimelineRequest, frame: RowFrame): string {
  const { scale, aside, width, until } = frame;
  const compact = aside > 0;
  const middle = compact ? 13 : 52;
  const attempts = placeAttempts(request, scale);
  const waits = request.waits
    .filter((wait) => wait.end > wait.start)
    .map((part) => ({ part, x: scale.after(part.start), width: scale.before(part.end) - scale.after(part.start) }));
  const lifeline = element('line', {
    class: 'line',
    x1: scale.before(request.start),
    x2: scale.after(request.end),
    y1: middle,
    y2: middle,
  });
  const shapes = [
    lifeline,
    ...waits.map((wait) => drawWait(wait, middle)),
    ...attempts.map((attempt) => drawAttempt(attempt, middle)),
    ...drawLimits(request, scale, middle, until),
  ];
  const names = compact ? [] : [...statusTexts(attempts, width, middle), ...waitTexts(waits, width, middle)];
  const title = compact ? drawNameAside(request, aside) : drawNameAbove(request, width);
  return title + element('g', compact ? { transform: `translate(${aside} 0)` } : {}, [...shapes, ...names].join(''));
}

function placeAttempts({ attempts }: TimelineRequest, scale: TimeScale): Placed<TimelineAttempt>[] {
  const instants = new Map<number, number>();
  return attempts.map((part) => {
    const { start, end } = part;
    if (end > start) return { part, x: scale.after(start), width: Math.max(scale.before(end) - scale.after(start), 1) };
    // Attempts of one instant share its width.
    const [left, right] = [scale.before(start), scale.after(start)];
    const together = attempts.filter((other) => other.start === start && other.end === start).length;
    const nth = instants.get(start) ?? 0;
    instants.set(start, nth + 1);
    return { part, x: left + ((right - left) * nth) / together, width: (right - left) / together };
  });
}

function drawAttempt({ part, x, width }: Placed<TimelineAttempt>, middle: number): string {
  const kind = attemptKind(part);
  const scale = Math.min(1, Math.max(width / (2 * GLYPH), 0.5));
  const box = { x, y: middle - 7, width, height: 14, rx: Math.min(4, width / 2) };
  const bar = element('rect', { class: 'under', ...box }) + element('rect', { class: `flight ${kind}`, ...box });
  const text = `attempt ${part.number}: ${resultOf(part)}, from ${formatTime(part.start)}, took ${formatTime(part.end - part.start)}`;
  return element('g', {}, tooltip(text) + bar + glyph(kind, Math.max(x + width - GLYPH * scale, x + width / 2), middle, scale));
}

function drawWait({ part, x, width }: Placed<TimelineWait>, middle: number): string {
  const text = `waits ${waitedFor(part)}: ${sourceName(part.source)}${part.capped ? ', capped' : ''} (${part.kind})`;
  const box = { x: x + 1, y: middle - 5, width: Math.max(width - 2, 1), height: 10, rx: 2 };
  return element(
    'g',
    {},
    tooltip(text) + element('rect', { class: 'under', ...box }) + element('rect', { class: `wait ${waitKind(part)}`, ...box }),
  );
}

function waitedFor({ start, end, delay }: TimelineWait): string {
  return end - start < delay - 1 ? `${formatTime(end - start)} of ${formatTime(delay)}` : formatTime(delay);
}

function statusTexts(attempts: readonly Placed<TimelineAttempt>[], width: number, middle: number): string[] {
  const labels = attempts.map(({ part, x, width: room }): Label => {
    const at = room > 0 ? Math.max(x + room - GLYPH, x + room / 2) : x;
    return { texts: [resultOf(part)], x: at, room: Infinity };
  });
  return placeLabels(labels, width, FONT).map(({ text, x }) => drawText(text, x, middle - 15, 'strong'));
}

function waitTexts(waits: readonly Placed<TimelineWait>[], width: number, middle: number): string[] {
  const line = (textsOf: (wait: TimelineWait) => readonly string[], y: number, size: number): string[] => {
    // A little more than the hatching is wide still reads as belonging to it.
    const labels = waits.map(({ part, x, width: room }): Label => ({ texts: textsOf(part), x: x + room / 2, room: room + 2.5 * size }));
    return placeLabels(labels, width, size).map(({ text, x }) => drawText(text, x, y, 'quiet', size));
  };
  return [
    ...line((wait) => [waitedFor(wait), formatTime(wait.end - wait.start)], middle + 22, FONT),
    ...line((wait) => [sourceName(wait.source)], middle + 36, FONT - 2),
  ];
}

function drawText(text: string, x: number, y: number, style: string, size = FONT): string {
  return element('text', { class: style, x, y, 'text-anchor': 'middle', 'font-size': size }, escapeText(text));
}

/** The lines of what ended a request from outside: its caller, and its deadline where that is in the picture. */
function drawLimits({ outcome, end, deadline }: TimelineRequest, scale: TimeScale, middle: number, until: number): string[] {
  const line = (kind: string, x: number, text: string): string =>
    element('g', {}, tooltip(text) + element('line', { class: kind, x1: x, x2: x, y1: middle - 12, y2: middle + 12 }));
  const bar = (x: number): string => element('line', { class: 'abort', x1: x - 4, x2: x + 4, y1: middle - 12, y2: middle - 12 });
  return [
    ...(deadline !== undefined && deadline <= until
      ? [line('deadline', scale.after(deadline), `the deadline, at ${formatTime(deadline)}`)]
      : []),
    ...(outcome.type === 'aborted' ? [line('abort', scale.after(end), `aborted at ${formatTime(end)}`), bar(scale.after(end))] : []),
  ];
}

function drawNameAbove(request: TimelineRequest, width: number): string {
  const outcome = fitText(outcomeOf(request), width, FONT);
  const label = fitText(request.label, width - textWidth(outcome, FONT) - FONT, FONT);
  return (
    (label === '' ? '' : element('text', { class: 'strong', x: 0, y: 12, 'font-size': FONT }, tooltip(request.label) + escapeText(label))) +
    element('text', { class: 'quiet', x: width, y: 12, 'text-anchor': 'end', 'font-size': FONT }, escapeText(outcome))
  );
}

function drawNameAside(request: TimelineRequest, aside: number): string {
  // Rows of one upload begin alike, and end in the file's name.
  const label = fitText(request.label, aside - FONT, FONT, 'end');
  return element('text', { x: 0, y: 17.5, 'font-size': FONT }, tooltip(`${request.label}: ${outcomeOf(request)}`) + escapeText(label));
}
