import { map, type Observable } from 'rxjs';
import { describe, it } from 'vitest';
import { coldFetch, type ColdFetchInit, policies, retryAfter, type RetryPolicy } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { shouldRetryHeader } from '../../../src/retry/classify/shouldRetryHeader.js';

const random = (): number => 0.5;
const policy: RetryPolicy = { ...policies.standard, random, classify: shouldRetryHeader };

function statusOf(init: ColdFetchInit, input = policy): Observable<number> {
  return coldFetch('https://api.test/charges', init).pipe(
    retryAfter<Response>(input),
    map(({ status }) => status),
  );
}

describe('shouldRetryHeader', () => {
  it.each(['x-should-retry', 'stripe-should-retry'])('%s: false ends what a rule would retry', (name) =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([reply(503, { headers: { [name]: 'false' } })]);
      expect$(statusOf({ fetch })).toBeMarbles('#', {}, { name: 'HttpError', status: 503 });
    }),
  );

  it.each(['x-should-retry', 'stripe-should-retry'])('%s: true retries what no rule takes', (name) =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([reply(409, { headers: { [name]: 'True' } }), reply(200)]);
      expect$(statusOf({ fetch })).toBeMarbles('500ms (a|)', { a: 200 });
    }),
  );

  it('leaves what a rule takes to that rule', () =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([reply(429, { headers: { 'x-should-retry': 'true', 'retry-after': '7' } }), reply(200)]);
      expect$(statusOf({ fetch })).toBeMarbles('7s (a|)', { a: 200 });
    }));

  it('retries no more often than the last rule', () =>
    marbles(({ expect$ }) => {
      const conflict = reply(409, { headers: { 'x-should-retry': 'true' } });
      const fetch = scriptedFetch([conflict, conflict, conflict, conflict]);
      expect$(statusOf({ fetch })).toBeMarbles('3500ms #', {}, { name: 'HttpError', status: 409 });
    }));

  it('repeats no POST without an idempotency key', () =>
    marbles(({ expect$ }) => {
      const conflict = reply(409, { headers: { 'x-should-retry': 'true' } });
      const fetch = scriptedFetch([conflict]);
      expect$(statusOf({ fetch, method: 'POST', body: '{}' })).toBeMarbles('#', {}, { name: 'HttpError', status: 409 });
    }));

  it('waits as the server asks, by the sources of the last rule', () =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([reply(409, { headers: { 'x-should-retry': 'true', 'retry-after': '20' } }), reply(200)]);
      expect$(statusOf({ fetch })).toBeMarbles('20s (a|)', { a: 200 });
    }));

  it('stays within the deadline', () =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([reply(409, { headers: { 'x-should-retry': 'true', 'retry-after': '20' } })]);
      expect$(statusOf({ fetch }, { ...policy, deadline: 10_000 })).toBeMarbles('#', {}, { name: 'HttpError', status: 409 });
    }));

  it.each(['yes', '', 'constructor'])('has no opinion about %j', (value) =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([reply(503, { headers: { 'x-should-retry': value } }), reply(200)]);
      expect$(statusOf({ fetch })).toBeMarbles('500ms (a|)', { a: 200 });
    }),
  );
});
