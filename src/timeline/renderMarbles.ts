import { formatDuration } from '../request/duration.js';
import { checkOptions, type OptionTable } from '../request/checkOptions.js';
import type { Timeline, TimelineAttempt, TimelineRequest, TimelineWait } from './TimelineData.js';
import { oneLine, openAs, resultOf } from './wording.js';

/** Options of {@link renderMarbles}. */
export interface MarblesOptions {
  /** Columns of the terminal, 40 or more: names are cut, and longer lines go on below; by default nothing is cut or broken. */
  readonly width?: number | undefined;
}

const OPTIONS: OptionTable<MarblesOptions> = { rules: { width: [(value) => Number(value) >= 40, '40 columns or more'] } };

/**
 * A timeline as marble text, one line for each request.
 *
 *     --x(429) ~3s~ --x(503) ~1s~ --o(200)
 *
 * | sign | means |
 * |---|---|
 * | `--`, `-30s-` | an attempt in flight; the time is written from 1 s on |
 * | `o(200)` | the answer |
 * | `x(429)`, `x(timeout)` | a failed attempt |
 * | `~3s~` | a wait; `~1.5s of 3s` one that ended early |
 * | `#(exhausted)` | giving up, and why |
 * | `!` | the caller ended it |
 * | `...` | still running |
 * | `5s` | time of which nothing was told, such as in a queue; before all else: how much later than the first row it starts |
 *
 * With more than one row each has its label in front.
 *
 * @throws UsageError for a width under 40
 */
export function renderMarbles({ requests }: Timeline, options: MarblesOptions = {}): string {
  checkOptions('renderMarbles', options, OPTIONS);
  const { width = Infinity } = options;
  const room = Math.floor(width * MOST_LABEL);
  const labels = requests.length > 1 ? requests.map(({ label }) => endOf(oneLine(label), room)) : [];
  const column = labels.reduce((widest, { length }) => Math.max(widest, length), 0);
  const indent = column > 0 ? column + 2 : 0;
  return requests.map((request, i) => (labels[i] ?? '').padEnd(indent) + fold(signs(request), width - indent, indent)).join('\n');
}

/** Shorter times in flight and in silence are not written, in ms. */
const SHORT = 1000;

/** Largest share of a line that names take. */
const MOST_LABEL = 0.45;

/** The end of a name: rows of one upload begin alike, and end in the file's name. */
function endOf(label: string, width: number): string {
  return label.length <= width ? label : `…${label.slice(1 - width).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

function fold(parts: readonly string[], width: number, indent: number): string {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + part.length <= width) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(part);
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

function signs(request: TimelineRequest): string[] {
  const { start, attempts, waits, outcome } = request;
  const parts = [
    ...attempts.map((attempt) => ({ ...attempt, order: attempt.number, text: drawAttempt(attempt, request) })),
    // A wait stands behind the attempt that failed.
    ...waits.map((wait) => ({ ...wait, order: wait.attempt + 0.5, text: drawWait(wait, request) })),
  ].sort((a, b) => a.start - b.start || a.order - b.order);
  const line = start > 0 ? [marbleTime(start)] : [];
  let told = start;
  const tellUntil = (moment: number): void => {
    if (moment - told >= SHORT) line.push(marbleTime(moment - told));
    told = Math.max(told, moment);
  };
  for (const part of parts) {
    tellUntil(part.start);
    line.push(part.text);
    told = Math.max(told, part.end);
  }
  const answeredUnsent = outcome.type === 'answered' && attempts.length === 0 ? [`o(${outcome.status})`] : [];
  const gaveUp = outcome.type === 'gave-up' ? [`#(${outcome.reason})`] : [];
  const ended = { aborted: ['!'], running: ['...'], failed: ['#'], answered: answeredUnsent, 'gave-up': gaveUp }[outcome.type];
  if (outcome.type !== 'answered') tellUntil(request.end);
  return [...line, ...ended];
}

function drawAttempt(attempt: TimelineAttempt, request: TimelineRequest): string {
  const { start, end, failure } = attempt;
  const flight = end - start < SHORT ? '--' : `-${marbleTime(end - start)}-`;
  if (openAs(attempt, request)) return flight;
  return `${flight}${failure === undefined ? 'o' : 'x'}(${resultOf(attempt, request)})`;
}

function drawWait({ start, end, delay }: TimelineWait, { end: over, outcome }: TimelineRequest): string {
  const ended = end - start;
  const early = end === over && outcome.type !== 'answered' && ended < delay;
  return early ? `~${marbleTime(ended)} of ${marbleTime(delay)}` : `~${marbleTime(ended)}~`;
}

/** Durations in marble syntax, without spaces: `'50ms'`, `'1.25s'`, `'2m30s'`, `'2h'`. */
function marbleTime(ms: number): string {
  return formatDuration(ms).replaceAll('min', 'm').replaceAll(' ', '');
}
