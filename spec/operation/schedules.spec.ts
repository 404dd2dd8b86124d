import { map, mergeMap, type Observable, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  coldFetch,
  createClient,
  type FetchLike,
  HttpError,
  pacer,
  policies,
  retryAfter,
  type RetryPolicy,
  retryReport,
} from 'coldfetch';
import { marbles, reply, scriptedFetch, type Answer } from 'coldfetch/testing';
import { announces, type Schedule, schedules, type ScheduleStep } from '../support/schedules.js';

const names = [...new Set(schedules.map(({ policy }) => policy))];
const URL = 'https://api.test/builds';

/** Plays a row of the table; `open` makes the observable that is tried, from the row, its server and its signal. */
function play(
  row: Schedule,
  open: (row: Schedule, server: ReturnType<typeof scriptedFetch>, policy: RetryPolicy, signal: AbortSignal) => Observable<number>,
): void {
  marbles(({ expect$, flush }) => {
    const { script, abortAt, random } = row;
    const server = scriptedFetch(script.map(toAnswer));
    const controller = new AbortController();
    const reason = new Error('stopped by the caller');
    if (abortAt === -1) controller.abort(reason);
    else if (abortAt !== undefined) timer(abortAt).subscribe(() => controller.abort(reason));
    let failure: unknown;
    const outcome$ = open(row, server, { ...policies[row.policy], random: () => random }, controller.signal).pipe(
      tap({
        error: (thrown: unknown) => {
          failure = thrown;
        },
      }),
    );
    const { hits, status, error, end, reason: why, aborted } = row.expect;
    expect$(outcome$).toBeMarbles(
      `${end}ms ${status === undefined ? '#' : '(s|)'}`,
      { s: status },
      aborted ? reason : { name: 'HttpError', status: error },
    );
    flush();
    expect(server.requests.map(({ at }) => at)).toEqual(hits);
    expect(retryReport(failure)?.reason).toBe(why);
    if (error !== undefined) expect(failure).toBeInstanceOf(HttpError);
  });
}

function toAnswer({ status, headers = {}, network, hang }: ScheduleStep): Answer {
  if (hang) return 'hang';
  return network || status === undefined ? 'network' : reply(status, { headers });
}

describe.each(names)('schedules of the policy %s', (name) => {
  const rows = schedules.filter(({ policy }) => policy === name);

  it.each(rows)('coldFetch and retryAfter: $name', (row) =>
    play(row, ({ method, headers = {} }, fetch, policy, signal) =>
      coldFetch(URL, { method, headers, fetch, signal, timeout: policy.timeout }).pipe(
        retryAfter(policy),
        mergeMap(({ status }) => [status]),
      ),
    ),
  );

  it.each(rows)('createClient without a limiter: $name', (row) => play(row, (...given) => request(...given, { pace: false })));

  it.each(rows)('createClient as it comes: $name', (row) => {
    // At the opening of an announced quota a client draws its moment: here the first of all.
    const pace = pacer({ initial: 6, random: () => 0 });
    play(row, (...given) => request(...given, announces(row) ? { pace } : {}));
  });
});

function request(
  { method, headers = {} }: Schedule,
  fetch: FetchLike,
  policy: RetryPolicy,
  signal: AbortSignal,
  options: ClientOptions = {},
): Observable<number> {
  const http = createClient({ baseUrl: 'https://api.test', fetch, retry: policy, ...options });
  return http.request(method, 'builds', { headers, signal, observe: 'response' }).pipe(map(({ status }) => status));
}
