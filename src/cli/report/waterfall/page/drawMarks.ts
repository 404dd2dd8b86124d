import { printable } from '../../../../request/printable.js';
import { formatDuration } from '../../../../request/duration.js';
import { element, tooltip } from '../../../../timeline/svg/element.js';
import type { TimeScale } from '../../../../timeline/svg/timeScale.js';
import type { UploadTrace } from '../UploadTrace.js';

/** Marks behind all rows: times in which a quota was used up, and a line for each 429 response. */
export function drawMarks(
  { quotas, throttled }: Pick<UploadTrace, 'quotas' | 'throttled'>,
  scale: TimeScale,
  width: number,
  height: number,
): string {
  const spans = quotas.map(({ host, start, end }) => {
    const [left, right] = [Math.max(scale.after(start), 0), Math.min(scale.before(end), width)];
    if (right <= left) return '';
    const text = `the quota of ${printable(host)} is used up, from ${formatDuration(start)} to ${formatDuration(end)}`;
    return element('rect', { class: 'quota', x: left, y: 0, width: right - left, height }, tooltip(text));
  });
  // Thousands of responses in one pixel are one line.
  const places = new Set(throttled.map((moment) => Math.round(scale.after(moment))).filter((x) => x >= 0 && x <= width));
  const lines = [...places].map((x) => element('line', { class: 'refusal', x1: x, x2: x, y1: 0, y2: height }));
  return [...spans, ...lines].join('');
}
