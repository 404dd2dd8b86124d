import { formatDuration } from '../../request/duration.js';
import type { TimelineRequest } from '../TimelineData.js';
import { outcomeOf } from '../wording.js';
import { drawAttempts, placeAttempts, statusTexts } from './drawAttempts.js';
import { drawWaits, placeWaits, waitTexts } from './drawWaits.js';
import { element, escapeText, FONT, tooltip } from './element.js';
import { isStepKind } from './kinds.js';
import { NARROW } from './placeLabels.js';
import { fitText, textWidth } from './textWidth.js';
import type { TimeScale } from './timeScale.js';

/** Settings that all rows of a picture share. */
export interface RowFrame {
  readonly scale: TimeScale;
  /** Width of the row's name beside it; 0: the name stands above, with the outcome, and texts stand at the shapes. */
  readonly aside: number;
  /** Width of the axis, in px, without `aside`. */
  readonly width: number;
  /** The last moment that is shown. */
  readonly until: number;
}

/** The height of a row, in px: one without waits needs no room for their names. */
export function rowHeight({ waits }: TimelineRequest, { aside }: RowFrame): number {
  if (aside > 0) return 26;
  return waits.some(({ start, end }) => end > start) ? 98 : 72;
}

/** Draws a request: its shapes, and their texts. */
export function drawRow(request: TimelineRequest, frame: RowFrame): string {
  const { scale, aside, width } = frame;
  const compact = aside > 0;
  const middle = compact ? 13 : 52;
  const names = compact
    ? []
    : [...statusTexts(placeAttempts(request, scale), request, width, middle), ...waitTexts(placeWaits(request, scale), width, middle)];
  const title = compact ? drawNameAside(request, aside) : drawNameAbove(request, width);
  const content = [drawShapes(request, frame, middle), ...names].join('');
  return title + element('g', compact ? { transform: `translate(${aside} 0)` } : {}, content);
}

/** Shapes of a request around the height `middle`: a bar for each attempt, its glyph at the end, hatching for each wait, bars for its steps. */
export function drawShapes(request: TimelineRequest, { scale, until }: Pick<RowFrame, 'scale' | 'until'>, middle: number): string {
  const lifeline = element('line', {
    class: 'line',
    x1: scale.before(request.start),
    x2: scale.after(request.end),
    y1: middle,
    y2: middle,
  });
  return [
    lifeline,
    ...drawSteps(request, scale, middle),
    ...drawWaits(placeWaits(request, scale), middle),
    ...drawAttempts(placeAttempts(request, scale), request, middle),
    ...drawLimits(request, scale, middle, until),
  ].join('');
}

/** Lines that mark an end from outside: the caller's, and the deadline's where that is in the picture. */
function drawLimits({ outcome, end, deadline }: TimelineRequest, scale: TimeScale, middle: number, until: number): string[] {
  const line = (kind: string, x: number, text: string): string =>
    element('g', {}, tooltip(text) + element('line', { class: kind, x1: x, x2: x, y1: middle - 12, y2: middle + 12 }));
  const bar = (x: number): string => element('line', { class: 'abort', x1: x - 4, x2: x + 4, y1: middle - 12, y2: middle - 12 });
  return [
    ...(deadline !== undefined && deadline <= until
      ? [line('deadline', scale.after(deadline), `the deadline, at ${formatDuration(deadline)}`)]
      : []),
    ...(outcome.type === 'aborted' ? [line('abort', scale.after(end), `aborted at ${formatDuration(end)}`), bar(scale.after(end))] : []),
  ];
}

function drawNameAbove(request: TimelineRequest, width: number): string {
  const outcome = fitText(outcomeOf(request), width, FONT, 'regular');
  const label = fitText(request.label, width - textWidth(outcome, FONT, 'regular') - FONT, FONT);
  return (
    (label === '' ? '' : element('text', { class: 'strong', x: 0, y: 12, 'font-size': FONT }, tooltip(request.label) + escapeText(label))) +
    element('text', { class: 'quiet', x: width, y: 12, 'text-anchor': 'end', 'font-size': FONT }, escapeText(outcome))
  );
}

function drawNameAside(request: TimelineRequest, aside: number): string {
  // The end of a name is kept: rows of one upload begin alike, and end in the file's name.
  const label = fitText(request.label, aside - FONT, FONT, 'regular', 'end');
  return element('text', { x: 0, y: 17.5, 'font-size': FONT }, tooltip(`${request.label}: ${outcomeOf(request)}`) + escapeText(label));
}

/** Bars of the steps around the height `middle`, lower than those of attempts; a short one stays visible. */
export function drawSteps({ steps = [] }: TimelineRequest, scale: TimeScale, middle: number): string[] {
  return steps.map(({ name, start, end }) => {
    const x = scale.after(start);
    const box = { x, y: middle - 3, width: Math.max(scale.before(end) - x, NARROW), height: 6, rx: 1 };
    const kind = isStepKind(name) ? name : 'other';
    const text = `${name}: from ${formatDuration(start)}, took ${formatDuration(end - start)}`;
    return element('g', {}, tooltip(text) + element('rect', { class: `step ${kind}`, ...box }));
  });
}
