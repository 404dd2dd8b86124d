import { tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { HttpError, pacer, policies, retryReport } from 'coldfetch';
import { marbles, reply, scriptedFetch, type ScriptedReply } from 'coldfetch/testing';
import { announces, type Schedule, schedules, type ScheduleStep } from '../support/schedules.js';
import { type WayIn, waysIn } from '../support/waysIn.js';

const names = [...new Set(schedules.map(({ policy }) => policy))];
const URL = 'https://api.test/builds';

/** Plays a row of the table by one of the ways in. */
function play(row: Schedule, send: WayIn): void {
  marbles(({ expect$, flush }) => {
    const { script, abortAt, random, method, headers } = row;
    const fetch = scriptedFetch(script.map(toAnswer));
    const controller = new AbortController();
    const reason = new Error('stopped by the caller');
    if (abortAt === -1) controller.abort(reason);
    else if (abortAt !== undefined) timer(abortAt).subscribe(() => controller.abort(reason));
    let failure: unknown;
    const policy = { ...policies[row.policy], random: () => random };
    // At the opening of an announced quota a client draws its moment: here the first of all.
    const pace = announces(row) ? pacer({ initial: 6, random: () => 0 }) : undefined;
    const outcome$ = send({ url: URL, policy, fetch, method, headers, signal: controller.signal, pace }).pipe(
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
    expect(fetch.requests.map(({ at }) => at)).toEqual(hits);
    expect(retryReport(failure)?.reason).toBe(why);
    if (error !== undefined) expect(failure).toBeInstanceOf(HttpError);
  });
}

function toAnswer({ status, headers = {}, network, hang }: ScheduleStep): ScriptedReply {
  if (hang) return 'hang';
  return network || status === undefined ? 'network' : reply(status, { headers });
}

describe.each(names)('schedules of the policy %s', (name) => {
  const rows = schedules.filter(({ policy }) => policy === name);

  it.each(waysIn.flatMap(([way, send]) => rows.map((row) => ({ way, send, ...row }))))('$way: $name', ({ send, ...row }) =>
    play(row, send),
  );
});
