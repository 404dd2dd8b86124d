import { UsageError } from '../../request/errors/UsageError.js';
import { type Compare, compareMoments } from './compareMoments.js';
import { drawMoments } from './drawMoments.js';
import type { Moment } from '../diagrams/marbleTime.js';
import { parseMarbles } from '../diagrams/parseMarbles.js';
import { valueOf } from '../diagrams/playMarbles.js';
import { isRequestLog } from '../scripted/RecordedRequest.js';
import { reduceRequest, refuseUnknownFields, type RequestValues } from '../scripted/requestFields.js';

/** Any request: the meaning of a letter without values. */
const ANY = { asymmetricMatch: () => true, toString: () => 'any request' };

/** Compares the requests of a log, and the moments of their sending, with a diagram. */
export function compareRequests(subject: unknown, marbles: string, values: RequestValues | undefined): Compare {
  if (!isRequestLog(subject))
    throw new UsageError('toHaveRequests needs a server or a scripted fetch: expect$(server).toHaveRequests(...)');
  const parsed = parseMarbles(marbles);
  const missing = (key: string): UsageError => new UsageError(`toHaveRequests: '${marbles}' has a '${key}' that its values lack`);
  const wanted = parsed.map(({ key }): unknown => {
    if (key === '|' || key === '#') throw new UsageError(`toHaveRequests: '${marbles}' has a '${key}', but requests have no end`);
    if (!values) return ANY;
    const value = valueOf(values, key, missing);
    refuseUnknownFields(key, value);
    return value;
  });
  const expected = parsed.map(({ frame }, index): Moment => ({ frame, kind: 'next', value: wanted[index] }));
  const keys = parsed.map(({ key }) => key);
  return (equals) => {
    const received = subject.requests.map((request, index): Moment => {
      return { frame: request.at, kind: 'next', value: reduceRequest(request, wanted[index]) };
    });
    const difference = compareMoments(received, expected, equals);
    return { difference, draw: () => drawMoments(expected, received, keys, equals, difference) };
  };
}
