import { catchError, from, map, mergeMap, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { coldFetch, isHttpError, policies, type PolicyName, retryAfter, retryReport } from 'coldfetch';
import { marbles, reply, scriptedFetch, type ReplyInit } from 'coldfetch/testing';

const URL = 'https://api.test/answers';
const PROBLEM = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

/** End of an operation that meets a 429 with `init`, then a 200, under the default policy: its status, or the reason for giving up. */
function outcomeOf(init: ReplyInit, status = 429): unknown {
  let outcome: unknown;
  marbles(({ random, flush }) => {
    const fetch = scriptedFetch([reply(status, init), reply(200)]);
    coldFetch(URL, { fetch })
      .pipe(
        retryAfter({ random }),
        map((response) => response.status),
        catchError((error: unknown) => of(retryReport(error)?.reason)),
      )
      .subscribe((end) => (outcome = end));
    flush();
    expect(outcome).toBeDefined();
  });
  return outcome;
}

describe('quotaExhausted', () => {
  it.each([
    ['error.code', { error: { code: 'insufficient_quota', message: 'You exceeded your current quota.' } }],
    ['error.type', { error: { type: 'insufficient_quota' } }],
  ])('ends at a 429 whose %s is insufficient_quota', (_, json) => {
    expect(outcomeOf({ json })).toBe('terminal');
  });

  it('ends at a 429 of the problem type quota-exceeded', () => {
    expect(outcomeOf({ json: { type: PROBLEM }, headers: { 'content-type': 'application/problem+json' } })).toBe('terminal');
  });

  it.each([
    ['the words in a message', { json: { error: { code: 'rate_limit', message: 'insufficient_quota is not what this is' } } }],
    ['the words in prose', { body: `insufficient_quota ${PROBLEM}` }],
    ['prose that calls itself JSON', { body: 'insufficient_quota', headers: { 'content-type': 'application/json' } }],
    ['another problem', { json: { type: `${PROBLEM}-soon` } }],
    ['another error', { json: { error: 'insufficient_quota' } }],
    ['null', { json: null }],
    ['a list', { json: ['insufficient_quota'] }],
    ['no body', { headers: { 'content-type': 'application/json' } }],
  ])('is not misled by %s', (_, init) => {
    expect(outcomeOf(init)).toBe(200);
  });

  it('looks at 429s only', () => {
    expect(outcomeOf({ json: { error: { code: 'insufficient_quota' } } }, 503)).toBe(200);
  });

  it.each(Object.keys(policies) as PolicyName[])('is part of the policy %s', (name) =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([reply(429, { json: { error: { code: 'insufficient_quota' } } })]);
      expect$(coldFetch(URL, { fetch }).pipe(retryAfter(policies[name]))).toBeMarbles('#', {}, { name: 'HttpError', status: 429 });
      expect$(fetch).toHaveRequests('a', { a: `GET ${URL}` });
    }),
  );

  it('leaves the body to be read', () =>
    marbles(({ expect$ }) => {
      const body = { error: { code: 'insufficient_quota' } };
      const fetch = scriptedFetch([reply(429, { json: body })]);
      const body$ = coldFetch(URL, { fetch }).pipe(
        retryAfter(),
        catchError((error: unknown) => (isHttpError(error) ? from(error.response.json()) : throwError(() => error))),
      );
      expect$(body$).toBeMarbles('(a|)', { a: body });
    }));

  it.each([
    ['0', '1s (a|)'],
    ['3', '3s (a|)'],
  ])('looks a second at most at a body that stalls, and counts it as part of the wait of %s s', (seconds, expected) =>
    marbles(({ expect$ }) => {
      const headers = { 'content-type': 'application/json', 'retry-after': seconds };
      const fetch = scriptedFetch([reply(429, { chunks: 'a', values: { a: '{"error":' }, headers }), reply(200)]);
      const status$ = coldFetch(URL, { fetch }).pipe(
        retryAfter(),
        map(({ status }) => status),
      );
      expect$(status$).toBeMarbles(expected, { a: 200 });
    }),
  );

  it('reads no more than 4 KiB', () => {
    const message = 'x'.repeat(5000);
    expect(outcomeOf({ json: { message, error: { code: 'insufficient_quota' } } })).toBe(200);
  });

  it.each([
    ['Angular', (body: object) => ({ error: body })],
    ['axios', (body: object) => ({ response: { status: 429, data: body } })],
    ['ajax', (body: object) => ({ response: body })],
  ])('sees the body that %s has read already', (_, parts) =>
    marbles(({ expect$ }) => {
      const headers = new Headers({ 'content-type': 'application/json' });
      const error = { status: 429, headers, ...parts({ error: { code: 'insufficient_quota' } }) };
      expect$(throwError(() => error).pipe(retryAfter())).toBeMarbles('#', {}, error);
    }),
  );

  it('can be switched off', () =>
    marbles(({ expect$, random }) => {
      const fetch = scriptedFetch([reply(429, { json: { error: { code: 'insufficient_quota' } } }), reply(200)]);
      const body$ = coldFetch(URL, { fetch }).pipe(
        retryAfter({ random, classify: () => undefined }),
        mergeMap(({ status }) => [status]),
      );
      expect$(body$).toBeMarbles('500ms (a|)', { a: 200 });
    }));
});
