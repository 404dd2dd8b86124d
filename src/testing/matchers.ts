import { UsageError } from '../request/errors/UsageError.js';
import { compareMoments } from './compareMoments.js';
import { describeValue } from './describeValue.js';
import { drawMoments } from './drawMoments.js';
import { type Equals, equalityOf, type ErrorExpectation, type MatcherContext, matchesError } from './equality.js';
import { formatDuration } from './duration.js';
import { firstDifference } from './firstDifference.js';
import type { Moment } from './Moment.js';
import { parseMarbles } from './parseMarbles.js';
import { valueOf } from './playMarbles.js';
import { Probe, type Verdict } from './Probe.js';
import { expectedRequests, receivedRequests, type RequestValues } from './requestExpectation.js';
import { judgeSubscriptions } from './judgeSubscriptions.js';
import { judgeWaits } from './judgeWaits.js';

/** What a matcher tells its framework. */
interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * The matchers of `coldfetch/testing`, for `expect.extend`: what `coldfetch/testing/setup` registers. They take what `expect$` gives inside a
 * `marbles` block, and compare when the block has been played.
 */
export const matchers = {
  toBeMarbles(
    this: MatcherContext,
    received: unknown,
    marbles: string,
    values?: Readonly<Record<string, unknown>>,
    error?: unknown,
  ): MatcherResult {
    const probe = probeOf(received, 'toBeMarbles');
    const parsed = parseMarbles(marbles);
    const missing = (key: string): UsageError => new UsageError(`toBeMarbles: '${marbles}' has a '${key}' that its values lack`);
    const expected = parsed.map(({ frame, key }): Moment => {
      if (key === '|') return { frame, kind: 'complete' };
      // As in RxJS, a `#` without an error is the one that cold('#') makes.
      if (key === '#') return { frame, kind: 'error', error: error === undefined ? 'error' : error };
      return { frame, kind: 'next', value: valueOf(values, key, missing) };
    });
    const keys = parsed.map(({ key }) => key);
    const moments = probe.record('toBeMarbles');
    return atEnd(this, probe, 'toBeMarbles', (equals) => judgeMoments(moments, expected, keys, equals));
  },

  toHaveSubscriptions(this: MatcherContext, received: unknown, marbles: string | readonly string[]): MatcherResult {
    const probe = probeOf(received, 'toHaveSubscriptions');
    const judge = judgeSubscriptions(probe.subject, marbles);
    return atEnd(this, probe, 'toHaveSubscriptions', judge);
  },

  toHaveRequests(this: MatcherContext, received: unknown, marbles: string, values?: RequestValues): MatcherResult {
    const probe = probeOf(received, 'toHaveRequests');
    const expected = expectedRequests(marbles, values);
    const log = receivedRequests(probe.subject, expected);
    const keys = parseMarbles(marbles).map(({ key }) => key);
    return atEnd(this, probe, 'toHaveRequests', (equals) => judgeMoments(log(), expected, keys, equals));
  },

  toWait(this: MatcherContext, received: unknown, waits: readonly unknown[]): MatcherResult {
    const probe = probeOf(received, 'toWait');
    const events = Array.isArray(probe.subject) ? () => probe.subject as unknown[] : valuesOf(probe.record('toWait'));
    return atEnd(this, probe, 'toWait', (equals) => judgeWaits(events(), waits, equals));
  },

  toFailWith(this: MatcherContext, received: unknown, error: ErrorExpectation): MatcherResult {
    const probe = probeOf(received, 'toFailWith');
    const moments = probe.record('toFailWith');
    return atEnd(this, probe, 'toFailWith', (equals) => judgeFailure(moments, error, equals));
  },
};

function probeOf(received: unknown, matcher: string): Probe {
  if (received instanceof Probe) return received;
  throw new UsageError(
    `${matcher} compares when a marbles block has been played: write expect$(...).${matcher}(...) inside one, not expect(${describeValue(received)})`,
  );
}

/** Passes for now, and has the block ask at its end. */
function atEnd(context: MatcherContext, probe: Probe, matcher: string, judge: (equals: Equals) => Verdict): MatcherResult {
  const isNot = context.isNot ?? false;
  const equals = equalityOf(context);
  probe.expect({ matcher, isNot, judge: () => judge(equals) });
  return { pass: !isNot, message: () => `${matcher} is compared when the block has been played` };
}

function judgeMoments(received: readonly Moment[], expected: readonly Moment[], keys: readonly string[], equals: Equals): Verdict {
  const difference = compareMoments(received, expected, equals);
  return { difference, draw: () => drawMoments(expected, received, keys, equals, difference) };
}

function judgeFailure(moments: readonly Moment[], expected: unknown, equals: Equals): Verdict {
  const last = moments.at(-1);
  if (last?.kind === 'error' && matchesError(last.error, expected, equals)) {
    return { difference: undefined, draw: () => `unexpected  ${describeValue(last.error)}` };
  }
  const frame = last?.frame ?? 0;
  const reason =
    last?.kind === 'error'
      ? firstDifference(last.error, expected, (error, wanted) => matchesError(error, wanted, equals))
      : `it ${last?.kind === 'complete' ? 'completed' : 'did not end'}`;
  const came = last?.kind === 'error' ? `${describeValue(last.error)}, at ${formatDuration(frame)}` : 'no error';
  return {
    difference: { frame, reason },
    draw: () => [`expected  ${describeValue(expected)}`, `received  ${came}`, `differs   ${reason}`].join('\n'),
  };
}

function valuesOf(moments: readonly Moment[]): () => unknown[] {
  return () => moments.flatMap((moment) => (moment.kind === 'next' ? [moment.value] : []));
}
