import { BodyError, HttpError, LimiterError, NetworkError, TimeoutError, UsageError } from 'coldfetch';
import { describe, expect, it } from 'vitest';
import { remedyFor } from '../../../src/node/upload/remedyFor.js';
import { RequestSummary } from '../../../src/request/RequestSummary.js';

const request = new RequestSummary('POST', 'https://host/', new Headers());

function answer(status: number, body?: string): HttpError {
  const error = new HttpError(new Response(null, { status }), request);
  if (body !== undefined) Object.assign(error, { body });
  return error;
}

describe('remedyFor', () => {
  it.each<[string, unknown, RegExp]>([
    ['413', answer(413), /^make the file smaller/],
    ['EntityTooLarge', answer(400, '<Error><Code>EntityTooLarge</Code></Error>'), /^make the file smaller/],
    ['EntityTooSmall', answer(400, '<Error><Code>EntityTooSmall</Code></Error>'), /^the file is empty/],
    ['401', answer(401), /^the server wants other credentials: check the token/],
    ['403', answer(403), /^check the clock of this machine/],
    ['429', answer(429), /^the limit of the server outlasted the retries/],
    ['503', answer(503), /^the server failed: upload again: what has arrived is not sent twice$/],
    ['404', answer(404), /^the server refuses this file for good/],
    ['a limiter', new LimiterError('x', { reason: 'max-wait' }), /^the limit of the server outlasted/],
    ['the network', new NetworkError('x', 'ECONNRESET'), /^check the connection and the proxy variables/],
    ['a timeout', new TimeoutError('x', 1), /^check the connection/],
    ['a file that changed', new BodyError('x'), /^let nothing write to the folder/],
    ['a file that is gone', new UsageError('x'), /^mend the file/],
    ['anything else', new Error('x'), /^upload again: what has arrived is not sent twice$/],
  ])('says what to do about %s', (_case, error, remedy) => {
    expect(remedyFor(error)).toMatch(remedy);
  });
});
