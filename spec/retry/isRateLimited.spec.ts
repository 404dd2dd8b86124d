import { describe, expect, it } from 'vitest';
import { isRateLimited } from '../../src/retry/isRateLimited.js';
import { readFailure } from '../../src/retry/readFailure.js';

const answered = (status: number, headers: Record<string, string> = {}) => readFailure({ status, headers: new Headers(headers) });

describe('isRateLimited', () => {
  it.each<[string, number, Record<string, string>]>([
    ['a 429', 429, {}],
    ['a 429 with requests left', 429, { 'x-ratelimit-remaining': '7' }],
    ['a 403 by which GitHub tells of its primary limit', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000000' }],
    ['a 403 whose quota is used up, by the fields of the IETF', 403, { 'ratelimit-remaining': '0', 'ratelimit-reset': '60' }],
    ['a 403 whose quota is used up, by a structured field', 403, { ratelimit: '"default";r=0;t=60' }],
    ['a 403 whose quota is used up, by a dictionary', 403, { ratelimit: 'limit=10, remaining=0, reset=60' }],
    ['a 403 by which GitHub tells of its secondary limit', 403, { 'retry-after': '60', 'x-ratelimit-remaining': '4999' }],
  ])('is true of %s', (_, status, headers) => {
    expect(isRateLimited(answered(status, headers))).toBe(true);
  });

  it.each<[string, number, Record<string, string>]>([
    ['a 403 that says nothing of a limit', 403, {}],
    ['a 403 with requests left', 403, { 'x-ratelimit-remaining': '1' }],
    ['a 403 with requests left, by a structured field', 403, { ratelimit: '"default";r=10;t=60' }],
    ['a 403 whose Retry-After is empty', 403, { 'retry-after': '' }],
    ['a 503, whatever it asks for', 503, { 'retry-after': '60', 'x-ratelimit-remaining': '0' }],
    ['a 200 that used up the quota', 200, { 'x-ratelimit-remaining': '0' }],
  ])('is false of %s', (_, status, headers) => {
    expect(isRateLimited(answered(status, headers))).toBe(false);
  });

  it('is false of failures without an answer', () => {
    for (const error of [new TypeError('fetch failed'), new Error('429'), undefined]) expect(isRateLimited(readFailure(error))).toBe(false);
    // A status that comes with no answer tells nothing.
    expect(isRateLimited({ error: undefined, type: 'terminal', status: 429 })).toBe(false);
  });

  it('goes by the status alone where the header fields are not known', () => {
    expect(isRateLimited({ error: undefined, type: 'response', status: 429 })).toBe(true);
    expect(isRateLimited({ error: undefined, type: 'response', status: 403 })).toBe(false);
  });
});
