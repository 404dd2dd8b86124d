import { describe, expect, it } from 'vitest';
import { virtualTime } from '../../../../src/simulate/virtualTime.js';
import { uploadTracer, type UploadTracer } from '../../../../src/cli/report/waterfall/uploadTracer.js';
import type { UploadTrace } from '../../../../src/cli/report/waterfall/UploadTrace.js';
import type { UploadBuildEvent, UploadWaitEvent } from 'coldfetch/node';
import { concat, concatMap, from, ignoreElements, map } from 'rxjs';
import { HttpError } from '../../../../src/request/errors/HttpError.js';
import { RequestSummary } from '../../../../src/request/RequestSummary.js';
import { wait } from '../../../../src/time.js';
import { done, failed, hashed, summary } from '../support.js';

/** Events and the ms between them. */
type Script = readonly (number | UploadBuildEvent)[];

/** Plays events in virtual time; gives the trace that is left. */
function play(script: Script, end = (tracer: UploadTracer): void => tracer.close()): UploadTrace {
  const traces: UploadTrace[] = [];
  virtualTime(() => {
    const tracer = uploadTracer();
    const steps$ = from(script).pipe(
      concatMap((step) =>
        typeof step === 'number' ? wait(step).pipe(ignoreElements()) : from([step]).pipe(map((event) => tracer.next(event))),
      ),
    );
    concat(steps$).subscribe({
      complete: () => {
        end(tracer);
        traces.push(tracer.read());
      },
    });
  });
  const [trace] = traces;
  if (!trace) throw new Error('The script has no end');
  return trace;
}

const BUILD = { id: '1', url: 'https://host/1' } as const;
const created: UploadBuildEvent = { type: 'created', build: BUILD, reason: 'new', missing: 1, missingBytes: 1, part: 1, parts: 1 };
const sent = (path: string, attempt = 1): UploadBuildEvent => ({ type: 'progress', path, attempt, loaded: 0, total: 10 });
const waits = (path: string, fields: Partial<UploadWaitEvent> = {}): UploadWaitEvent => ({
  ...{ type: 'wait', step: 'upload', path, host: 'host', until: 0, delay: 1000, kind: 'throttled', source: 'retryAfter' },
  ...{ attempt: 1, status: 429, arrived: 0, files: 1, ...fields },
});

describe('uploadTracer', () => {
  it('has the steps, attempts and waits of a file on one axis', () => {
    const { rows } = play([
      ...[5, hashed('a.png'), 20, created, 10, sent('a.png'), 30, waits('a.png'), 1000, sent('a.png', 2), 40],
      { ...done('a.png'), attempts: 2, status: 204 },
    ]);
    expect(rows.find(({ label }) => label === 'a.png')).toEqual({
      ...{ kind: 'file', label: 'a.png', start: 3, end: 1105, bytes: 1, how: 'sent' },
      steps: [
        { name: 'hash', start: 3, end: 5 },
        { name: 'permit', start: 5, end: 25 },
      ],
      attempts: [
        { number: 1, start: 35, end: 65, status: 429, headersAt: 65, failure: 'response' },
        { number: 2, start: 1065, end: 1105, status: 204, headersAt: 1105 },
      ],
      waits: [{ attempt: 1, start: 65, end: 1065, delay: 1000, source: 'retryAfter', kind: 'throttled', capped: false }],
      outcome: { type: 'answered', status: 204 },
    });
  });

  it('has a row for each request of the upload as a whole', () => {
    const { rows } = play([
      6,
      hashed('a.png'),
      50,
      created,
      sent('a.png'),
      10,
      done('a.png'),
      70,
      { type: 'completed', build: BUILD, requests: 1 },
    ]);
    expect(rows.filter(({ kind }) => kind === 'step').map(({ label, start, end }) => [label, start, end])).toEqual([
      ['Look at the files', 0, 6],
      ['Ask what is missing', 6, 56],
      ['Complete', 66, 136],
    ]);
  });

  it('counts an answer 429 once, however often its wait is told', () => {
    const { throttled, totals } = play([sent('a.png'), 5, waits('a.png'), 5, waits('a.png', { delay: 3000 }), 3000]);
    expect([throttled, totals.requests]).toEqual([[5], 1]);
  });

  it('joins what a host says about its quota, and keeps hosts apart', () => {
    const { quotas } = play([
      ...[
        sent('a'),
        waits('a'),
        10,
        waits('b', { kind: 'gate', attempt: 1 }),
        10,
        waits('c', { host: 'other' }),
        2000,
        waits('a', { attempt: 2 }),
        1,
      ],
    ]);
    expect(quotas).toEqual([
      { host: 'host', start: 0, end: 1000 },
      { host: 'other', start: 20, end: 1020 },
      { host: 'host', start: 2020, end: 3020 },
    ]);
  });

  it('ends a used-up quota when the answers say, not when the last of those that wait may go', () => {
    const refused = (seconds: number): HttpError =>
      new HttpError(
        new Response(null, { status: 429, headers: { 'retry-after': String(seconds) } }),
        new RequestSummary('POST', 'https://host/', new Headers()),
      );
    const { quotas } = play([
      ...[waits('early', { kind: 'gate', delay: 5000, attempt: 1 }), sent('a'), waits('a', { delay: 3210, error: refused(3) })],
      ...[sent('b'), waits('b', { delay: 3300, error: refused(3) }), waits('c', { kind: 'gate', delay: 3290 })],
      // The same wait, told again.
      ...[1000, waits('a', { delay: 9000, error: refused(3) })],
      ...[1000, sent('d'), waits('d', { delay: 2100, error: refused(2) }), 3000],
    ]);
    expect(quotas).toEqual([{ host: 'host', start: 0, end: 4000 }]);
  });

  it('takes no wait for an own slot or after a server error for a quota', () => {
    const slot = waits('a', { kind: 'gate', source: 'slots' });
    const { status, ...ownSlot } = slot;
    expect(status).toBe(429);
    expect(play([ownSlot, waits('b', { status: 503, kind: 'transient', source: 'backoff' })]).quotas).toEqual([]);
  });

  it('tells how and why a file failed', () => {
    const { rows, totals } = play([hashed('a.png'), sent('a.png'), 5, failed('a.png', 'refused')]);
    expect(totals.failed).toBe(1);
    expect(rows.find(({ kind }) => kind === 'file')).toMatchObject({
      attempts: [{ number: 1, failure: 'other' }],
      outcome: { type: 'failed', error: 'refused' },
      reason: 'refused',
    });
  });

  it('shows requests that were running at the end as stopped', () => {
    const trace = play([hashed('a.png'), sent('a.png'), 5], (tracer) => tracer.close('The upload was stopped by a signal'));
    expect([trace.state, trace.failure, trace.rows.find(({ kind }) => kind === 'file')?.outcome.type]).toEqual([
      'stopped',
      'The upload was stopped by a signal',
      'aborted',
    ]);
  });

  it('takes the numbers of the summary', () => {
    const { state, totals } = play([hashed('a.png'), summary({ completed: false, failed: 1, requests: 9, waited: 77 })]);
    expect([state, totals]).toMatchObject(['incomplete', { failed: 1, requests: 9, waited: 77, arrived: 2 }]);
  });

  it('tells only the rows that have changed since a version', () => {
    const tracer = uploadTracer();
    for (const path of ['a', 'b', 'c']) tracer.next(sent(path));
    const version = tracer.version();
    tracer.next({ ...done('b'), files: 3, status: 204 });
    expect(tracer.changesSince(version).rows.map(([index, { label }]) => [index, label])).toEqual([[1, 'b']]);
    expect(tracer.changesSince(tracer.version()).rows).toEqual([]);
    expect(tracer.changesSince(0).rows).toHaveLength(3);
  });
});
