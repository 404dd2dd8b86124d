import { UsageError } from '../../request/errors/UsageError.js';
import { describeValue } from '../values/describeValue.js';
import { formatMarbleTime, type Moment } from '../diagrams/marbleTime.js';
import { matchesError } from '../values/equality.js';
import { firstDifference } from '../values/firstDifference.js';
import type { Compare } from './compareMoments.js';

const ANY = { asymmetricMatch: () => true, toString: () => 'any error' };

/** Compares the error that an observable ended with, at any moment, with the expected one; without one, any will do. */
export function compareFailure(moments: readonly Moment[], error: readonly unknown[]): Compare {
  const [expected = ANY] = error;
  // An undefined class is most likely a typo: `not` would pass with it in any case.
  if (error.length > 0 && expected === ANY)
    throw new UsageError('toFailWith got undefined; give a class, some fields, or an error; or nothing for any error');
  return (equals) => {
    const last = moments.at(-1);
    const wanted = describeValue(expected);
    if (last?.kind !== 'error') {
      const reason = last?.kind === 'complete' ? `it completed at ${formatMarbleTime(last.frame)}` : 'it did not end';
      return { difference: { frame: 0, reason }, draw: () => `expected  ${wanted}\nreceived  no error: ${reason}` };
    }
    const matches = (error: unknown, part: unknown): boolean => matchesError(error, part, equals);
    const received = `${describeValue(last.error)}, at ${formatMarbleTime(last.frame)}`;
    if (matches(last.error, expected)) return { difference: undefined, draw: () => `unexpected  ${received}` };
    const reason = firstDifference(last.error, expected, matches);
    return {
      difference: { frame: last.frame, reason },
      draw: () => `expected  ${wanted}\nreceived  ${received}\ndiffers   ${reason}`,
    };
  };
}
