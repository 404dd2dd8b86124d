import { alignDiagrams, type Mark } from './alignDiagrams.js';
import type { Difference } from './compareMoments.js';
import { describeValue } from './describeValue.js';
import { type Equals, matchesError } from './equality.js';
import type { Moment } from './Moment.js';

const NOTHING = '(nothing)';

/** A value and the letter that stands for it in both diagrams. */
interface LegendEntry {
  readonly symbol: string;
  readonly value: unknown;
}

/** Letters for received values that have none in the spec. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Expected and received as aligned diagrams, the first difference marked, and what the letters stand for.
 *
 *     expected  3s     (a|)
 *     received  2s (a|)
 *     differs      ^ "done" came at 2s, 1s too early
 *
 *     a  "done"
 *
 * @param keys the letters of the expected values, in their order
 */
export function drawMoments(
  expected: readonly Moment[],
  received: readonly Moment[],
  keys: readonly string[],
  equals: Equals,
  difference?: Difference,
): string {
  const legend: LegendEntry[] = [];
  const expectedMarks = expected.map((moment, index) => mark(moment, () => named(moment, keys[index] ?? '?', legend)));
  const receivedMarks = received.map((moment) => mark(moment, () => lookUp(moment, legend, equals)));
  const rows = difference ? [expectedMarks, receivedMarks] : [expectedMarks];
  const { lines, column } = alignDiagrams(rows);
  const [expectedLine = '', receivedLine = ''] = lines;
  const drawing = difference
    ? [
        `expected  ${expectedLine || NOTHING}`,
        `received  ${receivedLine || NOTHING}`,
        `differs   ${' '.repeat(column(difference.frame))}^ ${difference.reason}`,
      ]
    : [`unexpected  ${expectedLine || NOTHING}`];
  const entries = [
    ...legend.filter(({ symbol, value }) => value !== symbol).map(({ symbol, value }) => `${symbol}  ${describeValue(value)}`),
    ...errors(expected, received, equals),
  ];
  return [...drawing, ...(entries.length > 0 ? ['', ...entries] : [])].join('\n');
}

function mark(moment: Moment, letter: () => string): Mark {
  const symbols = { next: letter, error: () => '#', complete: () => '|' };
  return { frame: moment.frame, symbol: symbols[moment.kind]() };
}

function named(moment: Moment, key: string, legend: LegendEntry[]): string {
  if (moment.kind === 'next' && !legend.some(({ symbol }) => symbol === key)) {
    legend.push({ symbol: key, value: moment.value });
  }
  return key;
}

function lookUp(moment: Moment, legend: LegendEntry[], equals: Equals): string {
  const value = moment.kind === 'next' ? moment.value : undefined;
  const known = legend.find((entry) => equals(value, entry.value));
  if (known) return known.symbol;
  const taken = new Set(legend.map(({ symbol }) => symbol));
  if (typeof value === 'string' && /^[a-z0-9]$/i.test(value) && !taken.has(value)) return value;
  const symbol = LETTERS.split('').find((letter) => !taken.has(letter)) ?? '?';
  legend.push({ symbol, value });
  return symbol;
}

function errors(expected: readonly Moment[], received: readonly Moment[], equals: Equals): string[] {
  const [wanted, got] = [expected, received].map((moments) => moments.find((moment) => moment.kind === 'error'));
  const lines: string[] = [];
  if (wanted && got && matchesError(got.error, wanted.error, equals)) return [`#  ${describeValue(got.error)}`];
  if (wanted) lines.push(`#  ${describeValue(wanted.error)} (expected)`);
  if (got) lines.push(`#  ${describeValue(got.error)} (received)`);
  return lines;
}
