import type { Timeline } from '../TimelineData.js';
import { element, escapeText } from './element.js';
import { glyph } from './glyphs.js';
import { ATTEMPT_NAMES, attemptKind, attemptsOf, STEP_NAMES, WAIT_NAMES, waitKind } from './kinds.js';
import { textWidth } from './textWidth.js';

/** Lines of a legend, in px. */
const LINE = 24;
const FONT = 13;

/** A legend as markup, and its height. */
export interface Legend {
  readonly markup: string;
  readonly height: number;
}

/**
 * Meaning of the shapes that are in a picture, in as many lines as `width` needs.
 *
 * @param until the last moment that is shown
 */
export function legend({ requests }: Timeline, until: number, width: number): Legend {
  const attempts = new Set(requests.flatMap((request) => attemptsOf(request).map((attempt) => attemptKind(attempt, request))));
  const waits = new Set(requests.flatMap((request) => request.waits.filter(({ start, end }) => end > start).map(waitKind)));
  const steps = new Set(requests.flatMap(({ steps: named = [] }) => named.map(({ name }) => name)));
  const line = (kind: string): string => element('line', { class: kind, x1: 8, x2: 8, y1: -8, y2: 8 });
  const items = [
    ...Object.entries(ATTEMPT_NAMES).flatMap(([kind, name]) =>
      [...attempts].filter((used) => used === kind).map((used) => [glyph(used, 8, 0, 0.85), name]),
    ),
    ...Object.entries(WAIT_NAMES).flatMap(([kind, name]) =>
      [...waits]
        .filter((used) => used === kind)
        .map((used) => [element('rect', { class: `wait ${used}`, x: 0.5, y: -5, width: 16, height: 10, rx: 2 }), name]),
    ),
    ...Object.entries(STEP_NAMES)
      .filter(([kind]) => steps.has(kind))
      .map(([kind, name]) => [element('rect', { class: `step ${kind}`, x: 0.5, y: -3, width: 16, height: 6, rx: 1 }), name]),
    ...(requests.some(({ outcome }) => outcome.type === 'aborted') ? [[line('abort'), 'aborted']] : []),
    ...(requests.some(({ deadline = Infinity }) => deadline <= until) ? [[line('deadline'), 'deadline']] : []),
  ];
  let [x, y] = [0, 0];
  const drawn = items.map(([shape = '', name = '']) => {
    const size = 22 + textWidth(name, FONT, 'regular');
    if (x > 0 && x + size > width) [x, y] = [0, y + LINE];
    const text = element('text', { class: 'quiet', x: 22, y: 4.2, 'font-size': FONT }, escapeText(name));
    const item = element('g', { transform: `translate(${Math.round(x)} ${y + LINE / 2})` }, shape + text);
    x += size + 14;
    return item;
  });
  return { markup: drawn.join(''), height: items.length > 0 ? y + LINE : 0 };
}
