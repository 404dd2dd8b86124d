import { describeValue } from './describeValue.js';
import { formatDuration } from './duration.js';
import { matchesError } from './equality.js';
import { firstDifference } from './firstDifference.js';
import type { Moment } from './Moment.js';
import type { Judge } from './Verdict.js';

/** Compares the error that an observable ended with, whenever, with the expected one. */
export function judgeFailure(moments: readonly Moment[], expected: unknown): Judge {
  return (equals) => {
    const last = moments.at(-1);
    const wanted = describeValue(expected);
    if (last?.kind !== 'error') {
      const reason = last?.kind === 'complete' ? `it completed at ${formatDuration(last.frame)}` : 'it did not end';
      return { difference: { frame: 0, reason }, draw: () => `expected  ${wanted}\nreceived  no error: ${reason}` };
    }
    const matches = (error: unknown, part: unknown): boolean => matchesError(error, part, equals);
    const received = `${describeValue(last.error)}, at ${formatDuration(last.frame)}`;
    if (matches(last.error, expected)) return { difference: undefined, draw: () => `unexpected  ${received}` };
    const reason = firstDifference(last.error, expected, matches);
    return {
      difference: { frame: last.frame, reason },
      draw: () => `expected  ${wanted}\nreceived  ${received}\ndiffers   ${reason}`,
    };
  };
}
