import { counted } from '../../request/printable.js';
import { fingerprint } from '../../request/fingerprint.js';
import { ANY, checkOptions, type OptionTable } from '../../request/checkOptions.js';
import { formatDuration } from '../../request/duration.js';
import { renderMarbles } from '../renderMarbles.js';
import { drawRow, type RowFrame, rowHeight } from './drawRow.js';
import { drawText, element, escapeText, FONT } from './element.js';
import { legend } from './legend.js';
import { fitText, textWidth } from './textWidth.js';
import { hatches, PICTURE, stepStyle, style, type Theme } from './theme.js';
import { ticks } from './ticks.js';
import { timeScale } from './timeScale.js';
import type { Timeline } from '../TimelineData.js';

/** Options of {@link renderSvg}. */
export interface SvgOptions {
  /** Width in px, 320 or more; 560 by default: text stays readable when a page shows it at 400, and does not shout at 1000. */
  readonly width?: number | undefined;
  /** Colours: `'light'`, `'dark'`, or (`'auto'`, the default) those that the reader prefers. */
  readonly theme?: Theme | undefined;
  /** A heading; none by default. */
  readonly title?: string | undefined;
}

const OPTIONS: OptionTable<SvgOptions> = {
  rules: {
    width: [(value) => Number(value) >= 320 && value !== Infinity, '320 px or more'],
    theme: [(value) => ['auto', 'light', 'dark'].includes(value as string), "'auto', 'light' or 'dark'"],
    title: ANY,
  },
};

/** Size of the texts at the axis, in px. */
const TICK_FONT = FONT - 1;

const MARGIN = 18;
const TITLE = 30;
const AXIS = 28;

/** Least room for shapes, in px: the more rows, the less for each, since all rows share one axis. */
const LEAST = {
  single: { attempt: 38, wait: 40 },
  several: { attempt: 22, wait: 14 },
  compact: { attempt: 12, wait: 6 },
} as const;

/** Most rows of a picture with texts at its shapes; with more, names stand beside the rows, and tooltips take the place of texts. */
const MOST_ROOMY = 8;

/** A picture that is higher, in px, has its ticks at the top as well. */
const TALL = 600;

/** Characters of the marble text that are put into the picture for screen readers: nobody listens for an hour. */
const MOST_TOLD = 4000;

/** Times the length of the recorded course beyond which a deadline is left out: the course would be squeezed to the left. */
const FAR = 5;

/**
 * A timeline as an SVG marble diagram: attempts are bars that end in a glyph for their outcome, waits are hatched and labelled with delay
 * and source, lines show aborts and deadlines, and all requests share one axis.
 *
 * The axis is not linear: widths go with the square root of time, so that an attempt of 50 ms stays visible beside a wait of a minute; read
 * lengths off the labels and ticks. Colours have a second sign: the glyph of an attempt, the slant of a wait's hatching. The picture loads
 * nothing and has no script, and all texts are escaped.
 *
 * @example
 * writeFileSync('upload.svg', renderSvg(recorder.timeline(), { title: '12 screenshots, 4 requests in 10 s' }));
 *
 * @returns the text of a standalone SVG file, which can also be put into a page as it is
 * @throws UsageError for a width under 320, or an unknown theme
 */
export function renderSvg(timeline: Timeline, options: SvgOptions = {}): string {
  checkOptions('renderSvg', options, OPTIONS);
  const { width = 560, theme = 'auto', title } = options;
  const { requests } = timeline;
  const compact = requests.length > MOST_ROOMY;
  const longest = Math.max(0, ...requests.map(({ label }) => textWidth(label, FONT, 'regular') + FONT));
  const inner = width - 2 * MARGIN;
  const aside = compact ? Math.max(FONT, Math.min(longest, inner * 0.3)) : 0;
  const until = lastMoment(timeline);
  const axis = inner - aside;
  const scale = timeScale(requests, until, axis, compact ? LEAST.compact : requests.length > 1 ? LEAST.several : LEAST.single);
  const frame: RowFrame = { scale, aside, width: axis, until };

  const heights = requests.map((request) => rowHeight(request, frame));
  const rowsHeight = heights.reduce((sum, height) => sum + height, 0);
  const isTall = rowsHeight > TALL;
  const top = MARGIN + (title === undefined ? 0 : TITLE) + (isTall ? AXIS : 0);
  const bottom = top + rowsHeight;
  const explained = legend(timeline, until, inner);
  const height = bottom + AXIS + explained.height + MARGIN;

  const heading = title === undefined ? [] : [drawTitle(title, inner)];
  const marks = ticks(until, scale.before, axis, TICK_FONT).map(({ x, label, labelX }) => {
    const [at, middle] = [MARGIN + aside + x, MARGIN + aside + labelX];
    const texts = [bottom + 18, ...(isTall ? [top - 10] : [])].map((y) => drawText(label, middle, y, 'quiet', TICK_FONT));
    return element('line', { class: 'grid', x1: at, x2: at, y1: top, y2: bottom + 4 }) + texts.join('');
  });
  let y = top;
  const rows = requests.map((request, i) => {
    const row = element('g', { transform: `translate(${MARGIN} ${y})` }, drawRow(request, frame));
    y += heights[i] ?? 0;
    return row;
  });
  const drawing = [
    element('rect', { class: 'ground', x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 8 }),
    ...heading,
    ...marks,
    element('line', { class: 'line', x1: MARGIN + aside, x2: width - MARGIN, y1: bottom, y2: bottom }),
    ...rows,
    element('g', { transform: `translate(${MARGIN} ${bottom + AXIS})` }, explained.markup),
  ].join('\n');
  // Pictures that stand in one page share neither style nor hatching.
  const name = `${PICTURE}-${fingerprint(`${theme} ${drawing}`).slice(0, 8)}`;
  const size = { width, height, viewBox: `0 0 ${width} ${height}`, style: 'max-width:100%;height:auto' };
  const hasSteps = requests.some(({ steps = [] }) => steps.length > 0);
  const styles = style(theme, name) + (hasSteps ? `\n${stepStyle(name)}` : '');
  const parts = [...describe(timeline, title), element('style', {}, styles), hatches(name), drawing];
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', class: `${PICTURE} ${name}`, role: 'img', ...size },
    `\n${parts.join('\n')}\n`,
  )}\n`;
}

function drawTitle(title: string, width: number): string {
  const text = fitText(title, width, FONT + 2);
  return element('text', { class: 'strong', x: MARGIN, y: MARGIN + 12, 'font-size': FONT + 2 }, escapeText(text));
}

/** Description of the picture for people who cannot see it. */
function describe(timeline: Timeline, title: string | undefined): string[] {
  const { length } = timeline.requests;
  const name = title ?? `${counted(length, 'request')}, ${formatDuration(timeline.end)}`;
  const told = renderMarbles(timeline);
  const text = told.length > MOST_TOLD ? `${told.slice(0, MOST_TOLD)}…` : told;
  return [element('title', {}, escapeText(name)), element('desc', {}, escapeText(text))];
}

function lastMoment({ requests, end }: Timeline): number {
  const deadlines = requests.flatMap(({ deadline }) => (deadline !== undefined && deadline <= end * FAR ? [deadline] : []));
  return Math.max(end, ...deadlines);
}
