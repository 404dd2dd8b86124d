import { UsageError } from '../../request/errors/UsageError.js';
import { alignDiagrams, type Mark } from '../diagrams/alignDiagrams.js';
import type { Compare, Difference } from './compareMoments.js';
import { drawDifference } from './drawDifference.js';
import { formatMarbleTime, trimmed } from '../diagrams/marbleTime.js';
import { parseSpan, type Span } from '../diagrams/parseMarbles.js';

/** Compares the subscriptions of a cold or hot observable with the expected ones, one diagram each. */
export function compareSubscriptions(subject: unknown, marbles: string | readonly string[]): Compare {
  if (!hasSubscriptions(subject)) {
    throw new UsageError('toHaveSubscriptions needs what cold() or hot() gave: expect$(source$).toHaveSubscriptions(...)');
  }
  const expected = (typeof marbles === 'string' ? [marbles] : marbles).map(parseSpan).filter((span) => span !== undefined);
  return () => {
    const received = subject.subscriptions.map(({ subscribedFrame, unsubscribedFrame }) => ({
      from: trimmed(subscribedFrame),
      to: trimmed(unsubscribedFrame),
    }));
    const difference = compareSpans(received, expected);
    return { difference, draw: () => drawSpans(received, expected, difference) };
  };
}

interface WithSubscriptions {
  readonly subscriptions: readonly { readonly subscribedFrame: number; readonly unsubscribedFrame: number }[];
}

function hasSubscriptions(subject: unknown): subject is WithSubscriptions {
  return typeof subject === 'object' && subject !== null && 'subscriptions' in subject && Array.isArray(subject.subscriptions);
}

function compareSpans(received: readonly Span[], expected: readonly Span[]): Difference | undefined {
  for (let index = 0; index < Math.max(received.length, expected.length); index++) {
    const got = received[index];
    const wanted = expected[index];
    const count = `subscription ${index + 1}`;
    if (!got)
      return { frame: wanted?.from ?? 0, reason: `${count} was expected at ${formatMarbleTime(wanted?.from ?? 0)}, but did not come` };
    if (!wanted) return { frame: got.from, reason: `${count} was not expected` };
    if (got.from !== wanted.from) {
      return {
        frame: Math.min(got.from, wanted.from),
        reason: `${count} began at ${formatMarbleTime(got.from)}${shift(got.from, wanted.from)}`,
      };
    }
    if (got.to !== wanted.to) {
      const reason = got.to === Infinity ? 'did not end' : `ended at ${formatMarbleTime(got.to)}${shift(got.to, wanted.to)}`;
      return { frame: Math.min(got.to, wanted.to), reason: `${count} ${reason}` };
    }
  }
  return undefined;
}

function shift(received: number, expected: number): string {
  if (expected === Infinity) return ', but was expected to last';
  return `, ${formatMarbleTime(Math.abs(received - expected))} too ${received > expected ? 'late' : 'early'}`;
}

function drawSpans(received: readonly Span[], expected: readonly Span[], difference: Difference | undefined): string {
  const count = Math.max(received.length, expected.length);
  const rows = Array.from({ length: count }).flatMap((_, index) => [marks(expected[index]), marks(received[index])]);
  const diagrams = alignDiagrams(rows);
  if (difference) return drawDifference(['expected', 'received'], diagrams, difference).join('\n');
  const equal = diagrams.lines.filter((_, index) => index % 2 === 0);
  return equal.length === 0 ? 'unexpected  (nothing)' : equal.map((line) => `unexpected  ${line}`).join('\n');
}

function marks(span: Span | undefined): Mark[] {
  if (!span) return [];
  const begin = { frame: span.from, symbol: '^' };
  return span.to === Infinity ? [begin] : [begin, { frame: span.to, symbol: '!' }];
}
