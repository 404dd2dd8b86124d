import { isUsageError, UsageError } from '../request/errors/UsageError.js';
import { describeValue } from './values/describeValue.js';
import { equalityOf, type MatcherContext } from './values/equality.js';
import { compareFailure } from './comparison/compareFailure.js';
import { compareMarbles } from './comparison/compareMarbles.js';
import type { Compare } from './comparison/compareMoments.js';
import { compareRequests } from './comparison/compareRequests.js';
import { compareSubscriptions } from './comparison/compareSubscriptions.js';
import { compareWaits } from './comparison/compareWaits.js';
import { isVirtual } from '../time.js';
import type { Moment } from './diagrams/marbleTime.js';
import { isProbe, titled } from './Probe.js';
import type { RequestValues } from './scripted/requestFields.js';
import { pointingAt } from './site.js';

/** Result of a matcher, for its framework. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Subject of a matcher. */
interface Received {
  readonly subject: unknown;
  /** All notifications of the subject, an observable, in the block. */
  readonly record: () => readonly Moment[];
}

/**
 * The matchers of `coldfetch/testing`, for `expect.extend`: `coldfetch/testing/setup` registers them.
 *
 * Inside a `marbles` block they pass at first for the results of `expect$`, and are compared when the block has been played. Outside of
 * virtual time, they compare finished things at once: `expect(fetch).toHaveRequests(...)`, `expect(events).toWait(...)`,
 * `expect(source$).toHaveSubscriptions(...)`.
 */
export const matchers = {
  /** See `MarbleMatchers.toBeMarbles`. */
  toBeMarbles(this: MatcherContext, received: unknown, marbles: string, values?: Readonly<Record<string, unknown>>, error?: unknown) {
    return compare(this, 'toBeMarbles', received, ({ record }) => compareMarbles(record(), marbles, values, error));
  },

  /** See `LogMatchers.toHaveSubscriptions`. */
  toHaveSubscriptions(this: MatcherContext, received: unknown, marbles: string | readonly string[]) {
    return compare(this, 'toHaveSubscriptions', received, ({ subject }) => compareSubscriptions(subject, marbles));
  },

  /** See `LogMatchers.toHaveRequests`. */
  toHaveRequests(this: MatcherContext, received: unknown, marbles: string, values?: RequestValues) {
    return compare(this, 'toHaveRequests', received, ({ subject }) => compareRequests(subject, marbles, values));
  },

  /** See `LogMatchers.toWait`. */
  toWait(this: MatcherContext, received: unknown, waits: readonly unknown[]) {
    return compare(this, 'toWait', received, (source) => compareWaits(eventsOf(source), waits));
  },

  /** See `MarbleMatchers.toFailWith`. */
  toFailWith(this: MatcherContext, received: unknown, ...error: [error?: unknown]) {
    return compare(this, 'toFailWith', received, ({ record }) => compareFailure(record(), error));
  },
};

function compare(context: MatcherContext, matcher: string, received: unknown, prepare: (received: Received) => Compare): MatcherResult {
  const isNot = context.isNot ?? false;
  const equals = equalityOf(context);
  if (isProbe(received)) {
    const { subject, site } = received;
    pointingAt(site, () => {
      const compareWith = prepare({ subject, record: () => received.record(matcher) });
      received.expect({ matcher, isNot, compare: () => compareWith(equals) });
    });
    return { pass: !isNot, message: () => `${matcher} is compared when its marbles block has been played` };
  }
  // A failed result, unlike a throw, is shown by the framework at the spec's own line.
  const refuse = (message: string): MatcherResult => ({ pass: isNot, message: () => message });
  const early = `${matcher} on ${describeValue(received)}: write expect$(...).${matcher}(...) inside a marbles block, which compares when it has been played`;
  if (isVirtual()) return refuse(early);
  try {
    const compareWith = prepare({
      subject: received,
      record: () => {
        throw new UsageError(early);
      },
    });
    const { difference, draw } = compareWith(equals);
    return { pass: difference === undefined, message: () => titled('expect', matcher, isNot, draw()) };
  } catch (error) {
    if (isUsageError(error)) return refuse(error.message);
    throw error;
  }
}

/** The events of a list, or those that an observable has emitted by the time of the call. */
function eventsOf({ subject, record }: Received): () => readonly unknown[] {
  if (Array.isArray(subject)) return () => subject as unknown[];
  const moments = record();
  return () => moments.flatMap((moment) => (moment.kind === 'next' ? [moment.value] : []));
}
