import { HttpError } from 'coldfetch';
import { describe, expect, it } from 'vitest';
import { sizeLimit } from '../../../src/node/upload/sizeLimit.js';
import { RequestSummary } from '../../../src/request/RequestSummary.js';

function refusal(body: unknown, status = 413): HttpError {
  return Object.assign(new HttpError(new Response(null, { status }), new RequestSummary('POST', 'https://host/', new Headers())), { body });
}

const XML = '<Error><Code>EntityTooLarge</Code><ProposedSize>9</ProposedSize><MaxSizeAllowed>8</MaxSizeAllowed></Error>';

describe('sizeLimit', () => {
  it.each<[string, unknown, number]>([
    ['the XML of object storage', XML, 8],
    ['a field of JSON', { error: 'request entity too large', length: 9, limit: 8 }, 8],
    ['a field of JSON that was read as text', '{"limit":8}', 8],
    ['a message in JSON', { error: 'The file exceeds the limit of 5 MB' }, 5_000_000],
    ['words, in bytes', 'too large: at most 52,428,800 bytes', 52_428_800],
    ['words, in binary units', 'The maximum size is 1.5 MiB.', 1_572_864],
  ])('is read from %s', (_case, body, limit) => {
    expect(sizeLimit(refusal(body))).toBe(limit);
  });

  it('is read from a 400 of object storage', () => {
    expect(sizeLimit(refusal(XML, 400))).toBe(8);
  });

  it.each<[string, unknown]>([
    ['a page without it', '<html><h1>413 Request Entity Too Large</h1><hr>nginx/1.25</html>'],
    ['no body', undefined],
    ['a field that is no size', { limit: -1 }],
    ['a number without a unit', 'limit 3'],
  ])('is unknown by %s', (_case, body) => {
    expect(sizeLimit(refusal(body))).toBeUndefined();
  });

  it('is not looked for in other answers', () => {
    expect(sizeLimit(refusal({ limit: 8 }, 400))).toBeUndefined();
  });
});
