import { formatMarbleTime, type Moment } from '../diagrams/marbleTime.js';
import { describeValue } from '../values/describeValue.js';
import { type Equals, matchesError } from '../values/equality.js';
import { firstDifference } from '../values/firstDifference.js';

/** Place at which received and expected moments differ. */
export interface Difference {
  /** Moment of the difference. */
  readonly frame: number;
  /** Sentence about the difference. */
  readonly reason: string;
}

/** The first difference between received and expected moments; undefined when there is none. */
export function compareMoments(received: readonly Moment[], expected: readonly Moment[], equals: Equals): Difference | undefined {
  for (let index = 0; index < Math.max(received.length, expected.length); index++) {
    const difference = compare(received[index], expected[index], equals);
    if (difference) return difference;
  }
  return undefined;
}

function compare(received: Moment | undefined, expected: Moment | undefined, equals: Equals): Difference | undefined {
  if (!expected) return received && { frame: received.frame, reason: `${name(received)}, but nothing more was expected` };
  if (!received) return { frame: expected.frame, reason: `${name(expected)} was expected, but nothing more came` };
  const same = sameNotification(received, expected, equals);
  if (received.frame === expected.frame) {
    return same ? undefined : { frame: expected.frame, reason: explain(received, expected, equals) };
  }
  const shift = formatMarbleTime(Math.abs(received.frame - expected.frame));
  const late = received.frame > expected.frame;
  return {
    frame: Math.min(received.frame, expected.frame),
    reason: same
      ? `${name(received)} came at ${formatMarbleTime(received.frame)}, ${shift} too ${late ? 'late' : 'early'}`
      : `${name(expected)} was expected at ${formatMarbleTime(expected.frame)}, but ${name(received)} came at ${formatMarbleTime(received.frame)}`,
  };
}

function sameNotification(received: Moment, expected: Moment, equals: Equals): boolean {
  if (received.kind === 'next' && expected.kind === 'next') return equals(received.value, expected.value);
  if (received.kind === 'error' && expected.kind === 'error') return matchesError(received.error, expected.error, equals);
  return received.kind === expected.kind;
}

function explain(received: Moment, expected: Moment, equals: Equals): string {
  if (received.kind === 'next' && expected.kind === 'next') return firstDifference(received.value, expected.value, equals);
  if (received.kind === 'error' && expected.kind === 'error')
    return firstDifference(received.error, expected.error, (error, wanted) => matchesError(error, wanted, equals));
  return `${name(expected)} was expected, but ${name(received)} came`;
}

function name(moment: Moment): string {
  if (moment.kind === 'complete') return 'completion';
  return moment.kind === 'error' ? `the error ${describeValue(moment.error)}` : describeValue(moment.value);
}

/** Outcome of a comparison, with the function that draws it. */
export interface Comparison {
  /** First difference; undefined: there is none. */
  readonly difference: Difference | undefined;
  readonly draw: () => string;
}

/** Compares everything received by now with the expectation. */
export type Compare = (equals: Equals) => Comparison;
