import { UsageError } from '../request/errors/UsageError.js';
import { formatTime } from './formatTime.js';
import { renderMarbles } from './renderMarbles.js';
import { drawRow, FONT, type RowFrame, rowHeight } from './svg/drawRow.js';
import { element, escapeText } from './svg/element.js';
import { legend } from './svg/legend.js';
import { fitText, textWidth } from './svg/textWidth.js';
import { hatches, SCOPE, style, type Theme } from './svg/theme.js';
import { ticks } from './svg/ticks.js';
import { timeScale } from './svg/timeScale.js';
import type { Timeline } from './TimelineData.js';

/** Options of {@link renderSvg}. */
export interface SvgOptions {
  /** Width in px, 320 or more; 560 by default: text stays readable when a page shows it at 400, and does not shout at 1000. */
  readonly width?: number | undefined;
  /** Which colours: `'light'`, `'dark'`, or (`'auto'`, the default) what the reader prefers. */
  readonly theme?: Theme | undefined;
  /** A heading; none by default. */
  readonly title?: string | undefined;
}

/** Size of the texts at the axis, in px. */
const TICK_FONT = FONT - 1;

const MARGIN = 18;
const TITLE = 30;
const AXIS = 28;

/** Room for shapes: what one row gives its short ones, several take from the long ones of each other. */
const LEAST = {
  single: { attempt: 38, wait: 40 },
  several: { attempt: 22, wait: 14 },
  compact: { attempt: 12, wait: 6 },
} as const;

/** With more rows than this, names stand beside them and texts at the shapes give way to tooltips. */
const MOST_ROOMY = 8;

/** A deadline that is farther off than so many times what happened would squeeze it all to the left: it is left out. */
const FAR = 5;

/**
 * A timeline as an SVG marble diagram: attempts are bars that end in a glyph for how they came out, waits are hatched and labelled with
 * delay and source, lines show aborts and deadlines, and all requests share one axis.
 *
 * The axis is not linear: widths go with the square root of time, so that an attempt of 50 ms stays visible beside a wait of a minute; read
 * lengths off the labels and ticks. What colour says, shape says too: the glyph of an attempt, the slant of a wait's
 * hatching. Nothing is loaded from elsewhere, no script is in it, and all texts are escaped.
 *
 * @example
 * writeFileSync('upload.svg', renderSvg(recorder.timeline(), { title: '12 screenshots, 4 requests in 10 s' }));
 *
 * @returns the text of a standalone SVG file, which can also be put into a page as it is
 * @throws UsageError for a width under 320
 */
export function renderSvg(timeline: Timeline, { width = 560, theme = 'auto', title }: SvgOptions = {}): string {
  if (!(width >= 320 && width < Infinity)) throw new UsageError(`renderSvg: width is ${width}; give 320 px or more`);
  const { requests } = timeline;
  const compact = requests.length > MOST_ROOMY;
  const longest = Math.max(0, ...requests.map(({ label }) => textWidth(label, FONT) + FONT));
  const inner = width - 2 * MARGIN;
  const aside = compact ? Math.max(FONT, Math.min(longest, inner * 0.3)) : 0;
  const until = lastMoment(timeline);
  const axis = inner - aside;
  const scale = timeScale(requests, until, axis, compact ? LEAST.compact : requests.length > 1 ? LEAST.several : LEAST.single);
  const frame: RowFrame = { scale, aside, width: axis, until };

  const top = MARGIN + (title === undefined ? 0 : TITLE);
  const tops = [top];
  for (const request of requests) tops.push((tops.at(-1) ?? top) + rowHeight(request, frame));
  const bottom = tops.at(-1) ?? top;
  const explained = legend(timeline, until, inner);
  const height = bottom + AXIS + explained.height + MARGIN;
  const marks = ticks(until, scale.before, axis, TICK_FONT).map(({ x, label }) => {
    const at = MARGIN + aside + x;
    const half = textWidth(label, TICK_FONT) / 2;
    const text = {
      class: 'quiet',
      x: Math.min(Math.max(at, MARGIN + aside + half / 2), width - MARGIN - half),
      y: bottom + 18,
      'font-size': TICK_FONT,
    };
    return (
      element('line', { class: 'grid', x1: at, x2: at, y1: top, y2: bottom + 4 }) +
      element('text', { ...text, 'text-anchor': 'middle' }, escapeText(label))
    );
  });
  const rows = requests.map((request, i) => element('g', { transform: `translate(${MARGIN} ${tops[i] ?? top})` }, drawRow(request, frame)));
  const content = [
    element(
      'title',
      {},
      escapeText(title ?? `${requests.length} ${requests.length === 1 ? 'request' : 'requests'}, ${formatTime(timeline.end)}`),
    ),
    element('desc', {}, escapeText(renderMarbles(timeline))),
    element('style', {}, style(theme)),
    hatches(),
    element('rect', { class: 'ground', x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 8 }),
    ...(title === undefined
      ? []
      : [
          element(
            'text',
            { class: 'strong', x: MARGIN, y: MARGIN + 12, 'font-size': FONT + 2 },
            escapeText(fitText(title, inner, FONT + 2)),
          ),
        ]),
    ...marks,
    element('line', { class: 'line', x1: MARGIN + aside, x2: width - MARGIN, y1: bottom, y2: bottom }),
    ...rows,
    element('g', { transform: `translate(${MARGIN} ${bottom + AXIS})` }, explained.markup),
  ];
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: SCOPE,
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      style: 'max-width:100%;height:auto',
    },
    `\n${content.join('\n')}\n`,
  )}\n`;
}

function lastMoment({ requests, end }: Timeline): number {
  const deadlines = requests.flatMap(({ deadline }) => (deadline !== undefined && deadline <= end * FAR ? [deadline] : []));
  return Math.max(end, ...deadlines);
}
