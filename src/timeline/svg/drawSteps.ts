import { formatDuration } from '../../request/formatDuration.js';
import type { TimelineRequest } from '../TimelineData.js';
import { element, tooltip } from './element.js';
import { isStepKind } from './kinds.js';
import { NARROW } from './placed.js';
import type { TimeScale } from './timeScale.js';

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
