import { formatDuration } from '../../request/duration.js';
import type { TimelineAttempt, TimelineRequest } from '../TimelineData.js';
import { resultOf } from '../wording.js';
import { drawText, element, FONT, tooltip } from './element.js';
import { GLYPH, glyph } from './glyphs.js';
import { attemptKind, attemptsOf, UNSENT } from './kinds.js';
import { type Label, NARROW, type Placed, placeLabels, thinOut } from './placeLabels.js';
import type { TimeScale } from './timeScale.js';

/** Places of a request's attempts on the axis. */
export function placeAttempts(request: TimelineRequest, scale: TimeScale): Placed<TimelineAttempt>[] {
  const attempts = attemptsOf(request);
  const instants = new Map<number, { count: number; placed: number }>();
  for (const { start, end } of attempts) {
    if (start === end) instants.set(start, { count: (instants.get(start)?.count ?? 0) + 1, placed: 0 });
  }
  return attempts.map((part) => {
    const { start, end } = part;
    const instant = start === end ? instants.get(start) : undefined;
    if (!instant) return { part, x: scale.after(start), width: Math.max(scale.before(end) - scale.after(start), 1) };
    // Attempts of one instant share its width.
    const [left, right] = [scale.before(start), scale.after(start)];
    const width = (right - left) / instant.count;
    return { part, x: left + width * instant.placed++, width };
  });
}

/** Bars around the height `middle`, and glyphs where the next one leaves them room. */
export function drawAttempts(attempts: readonly Placed<TimelineAttempt>[], request: TimelineRequest, middle: number): string[] {
  const drawn: string[] = [];
  let next = Infinity;
  for (const { part, x, width } of thinOut(attempts, ({ part }) => attemptKind(part, request)).reverse()) {
    const kind = attemptKind(part, request);
    const box = { x, y: middle - 7, width, height: 14, rx: Math.min(4, width / 2) };
    const bar = part.number === UNSENT ? '' : element('rect', { class: `flight ${kind}`, ...box });
    const scale = Math.min(1, Math.max(width / (2 * GLYPH), 0.5));
    const at = Math.max(x + width - GLYPH * scale, x + width / 2);
    const hasGlyph = at + GLYPH * scale * 0.8 <= next;
    if (hasGlyph) next = at - GLYPH * scale * 0.8;
    if (!hasGlyph && width < NARROW) drawn.push(bar);
    else {
      const under = bar === '' ? '' : element('rect', { class: 'under', ...box });
      drawn.push(element('g', {}, tooltip(attemptText(part, request)) + under + bar + (hasGlyph ? glyph(kind, at, middle, scale) : '')));
    }
  }
  return drawn.reverse();
}

function attemptText(attempt: TimelineAttempt, request: TimelineRequest): string {
  const { number, start, end } = attempt;
  if (number === UNSENT) return `${resultOf(attempt, request)} without a request, at ${formatDuration(start)}`;
  return `attempt ${number}: ${resultOf(attempt, request)}, from ${formatDuration(start)}, took ${formatDuration(end - start)}`;
}

/** Outcome of each attempt, above it, where there is room. */
export function statusTexts(
  attempts: readonly Placed<TimelineAttempt>[],
  request: TimelineRequest,
  width: number,
  middle: number,
): string[] {
  const labels = attempts.map(({ part, x, width: room }): Label => {
    const at = room > 0 ? Math.max(x + room - GLYPH, x + room / 2) : x;
    return { texts: [resultOf(part, request)], x: at, room: Infinity };
  });
  return placeLabels(labels, width, FONT, 'strong').map(({ text, x }) => drawText(text, x, middle - 15, 'strong'));
}
