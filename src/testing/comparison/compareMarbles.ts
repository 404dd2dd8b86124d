import { UsageError } from '../../request/errors/UsageError.js';
import type { Moment } from '../diagrams/marbleTime.js';
import { parseMarbles } from '../diagrams/parseMarbles.js';
import { valueOf } from '../diagrams/playMarbles.js';
import { type Compare, compareMoments } from './compareMoments.js';
import { drawMoments } from './drawMoments.js';

/** Compares the notifications of an observable with a diagram. */
export function compareMarbles(
  received: readonly Moment[],
  marbles: string,
  values: Readonly<Record<string, unknown>> | undefined,
  error: unknown,
): Compare {
  const parsed = parseMarbles(marbles);
  const missing = (key: string): UsageError => new UsageError(`toBeMarbles: '${marbles}' has a '${key}' that its values lack`);
  const expected = parsed.map(({ frame, key }): Moment => {
    if (key === '|') return { frame, kind: 'complete' };
    // The mark `#` without an error is the one that cold('#') makes, as in RxJS.
    if (key === '#') return { frame, kind: 'error', error: error === undefined ? 'error' : error };
    return { frame, kind: 'next', value: valueOf(values, key, missing) };
  });
  const keys = parsed.map(({ key }) => key);
  return (equals) => {
    const difference = compareMoments(received, expected, equals);
    return { difference, draw: () => drawMoments(expected, received, keys, equals, difference) };
  };
}
