import { alignDiagrams, type Mark } from '../diagrams/alignDiagrams.js';
import type { Difference } from './compareMoments.js';
import { describeValue } from '../values/describeValue.js';
import { drawDifference } from './drawDifference.js';
import { type Equals, matchesError } from '../values/equality.js';
import { Legend } from './Legend.js';
import type { Moment } from '../diagrams/marbleTime.js';

/**
 * Expected and received as aligned diagrams, with the first difference marked and a legend of the letters.
 *
 * @param keys the letters of the expected values, in their order
 * @param difference undefined where there is none, but one was expected
 */
export function drawMoments(
  expected: readonly Moment[],
  received: readonly Moment[],
  keys: readonly string[],
  equals: Equals,
  difference?: Difference,
): string {
  const legend = new Legend(equals);
  const wanted = expected.map((moment, index) => mark(moment, (value) => legend.define(keys[index] ?? '?', value)));
  const got = received.map((moment, index) => mark(moment, (value) => legend.symbolOf(value, keys[index])));
  const drawing = difference
    ? drawDifference(['expected', 'received'], alignDiagrams([wanted, got]), difference)
    : alignDiagrams([wanted]).lines.map((line) => `unexpected  ${line || '(nothing)'}`);
  const entries = [
    ...legend.describe(drawing.slice(0, 2).map((line) => line.slice('expected'.length))),
    ...errors(expected, received, equals),
  ];
  return [...drawing, ...(entries.length > 0 ? ['', ...entries] : [])].join('\n');
}

function mark(moment: Moment, letter: (value: unknown) => string): Mark {
  switch (moment.kind) {
    case 'next':
      return { frame: moment.frame, symbol: letter(moment.value) };
    case 'error':
      return { frame: moment.frame, symbol: '#' };
    case 'complete':
      return { frame: moment.frame, symbol: '|' };
  }
}

function errors(expected: readonly Moment[], received: readonly Moment[], equals: Equals): string[] {
  const [wanted, got] = [expected, received].map((moments) => moments.find((moment) => moment.kind === 'error'));
  if (wanted && got && matchesError(got.error, wanted.error, equals)) return [`#  ${describeValue(got.error)}`];
  return [
    ...(wanted ? [`#  ${describeValue(wanted.error)} (expected)`] : []),
    ...(got ? [`#  ${describeValue(got.error)} (received)`] : []),
  ];
}
