import { take, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, coldFetch, createClient, type HttpClient, retryAfter } from 'coldfetch';
import { marbles, reply, scriptedFetch, type ScriptedReply } from 'coldfetch/testing';
import { type Metrics, metrics, type MetricsSnapshot } from '../../src/operation/metrics.js';

const random = (): number => 0.5;
const nothing: MetricsSnapshot = {
  attemptsPerSuccess: { count: 0, total: 0, mean: undefined },
  retries: {},
  exhaustedRetries: 0,
  exhaustedDeadlines: 0,
  failed: 0,
  aborted: 0,
};

/** Counts while `act` uses a client whose server gives `answers`, in virtual time. */
function counted(
  answers: readonly ScriptedReply[],
  act: (http: HttpClient, counts: Metrics) => void,
  options: ClientOptions = {},
): MetricsSnapshot {
  const counts = metrics();
  marbles(({ flush }) => {
    const fetch = scriptedFetch(answers);
    act(createClient({ baseUrl: 'https://api.test', fetch, retry: { random }, interceptors: [counts.interceptor], ...options }), counts);
    flush();
    expect(fetch.requests).toHaveLength(answers.length);
  });
  return counts.snapshot();
}

const get = (http: HttpClient): void => void http.get('/a').subscribe({ error: () => {} });
const limited = reply(429, { headers: { 'retry-after': '1' } });
const ok = reply(200, { json: 1 });

describe('metrics', () => {
  it('counts attempts for each success', () => {
    const snapshot = counted([ok, limited, 503, ok], (http) => {
      get(http);
      get(http);
    });
    expect(snapshot).toEqual({ ...nothing, attemptsPerSuccess: { count: 2, total: 4, mean: 2 }, retries: { throttled: 1, transient: 1 } });
  });

  it('counts retries that waited at a gate by the rule that took the failure', () => {
    expect(counted([limited, ok], get, { pace: {} }).retries).toEqual({ throttled: 1 });
  });

  it('counts used-up retries', () => {
    expect(counted([503, 503, 503, 503], get)).toEqual({ ...nothing, retries: { transient: 3 }, exhaustedRetries: 1 });
  });

  it('counts deadlines apart: those that would pass and those that did', () => {
    const retry = { random, deadline: 3000 };
    expect(counted([reply(429, { headers: { 'retry-after': '9' } })], get, { retry })).toEqual({ ...nothing, exhaustedDeadlines: 1 });
    expect(counted(['hang'], get, { retry })).toEqual({ ...nothing, exhaustedDeadlines: 1 });
  });

  it('counts other failures, without retries too', () => {
    expect(counted([404], get)).toEqual({ ...nothing, failed: 1 });
    expect(counted([503], get, { retry: false })).toEqual({ ...nothing, failed: 1 });
  });

  it.each<[string, (http: HttpClient) => void]>([
    ['unsubscribing', (http) => http.get('/a').subscribe().unsubscribe()],
    ['a signal', (http) => http.get('/a', { signal: abortedSoon() }).subscribe({ error: () => {} })],
    ['a signal of the policy', (http) => http.get('/a', { retry: { signal: abortedSoon() } }).subscribe({ error: () => {} })],
  ])('counts as aborted what ends by %s', (_, act) => {
    expect(counted(['hang'], act)).toEqual({ ...nothing, aborted: 1 });
  });

  it('does not count as aborted what has succeeded when it is unsubscribed', () => {
    const snapshot = counted([ok], (http) => {
      http.get('/a').pipe(take(1)).subscribe();
    });
    expect(snapshot).toMatchObject({ attemptsPerSuccess: { count: 1 }, aborted: 0 });
  });

  it('counts retries and failures as notify', () => {
    const counts = metrics();
    marbles(({ flush }) => {
      const fetch = scriptedFetch([limited, 503, 404]);
      coldFetch('https://api.test/a', { fetch })
        .pipe(retryAfter({ random, notify: counts }))
        .subscribe({ error: () => {} });
      flush();
      expect(counts.snapshot()).toEqual({ ...nothing, retries: { throttled: 1, transient: 1 }, failed: 1 });
    });
  });

  it('gives snapshots that stay as they are', () => {
    const counts = metrics();
    const before = counts.snapshot();
    throwError(() => new Error('no'))
      .pipe(retryAfter({ notify: counts }))
      .subscribe({ error: () => {} });
    expect(before).toEqual(nothing);
    expect(counts.snapshot().failed).toBe(1);
  });
});

/** A signal that aborts after a second. */
function abortedSoon(): AbortSignal {
  const controller = new AbortController();
  timer(1000).subscribe(() => controller.abort());
  return controller.signal;
}
