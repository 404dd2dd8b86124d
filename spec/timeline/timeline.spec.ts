import { NEVER, Subject, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createClient, policies, type HttpEvent } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { timeline, type Timeline } from 'coldfetch/timeline';
import { wait } from '../../src/time.js';
import { inVirtualTime, play } from './play.js';

const busy = reply(429, { headers: { 'retry-after': '3' } });
const ok = reply(200, { json: [] });

/** Nothing explains the end of a request without retry and pacer. */
const untold = { retry: false, pace: false } as const;

describe('timeline', () => {
  it('tells when each attempt began and ended, and what came of it', () => {
    const { requests } = play('5ms a 10ms b 20ms c', { a: busy, b: reply(503), c: ok });
    expect(requests[0]?.attempts).toMatchObject([
      { number: 1, start: 0, end: 5, status: 429, failure: 'response', headersAt: 5 },
      { number: 2, start: 3005, end: 3015, status: 503, failure: 'response' },
      { number: 3, start: 4015, end: 4035, status: 200 },
    ]);
    expect(requests[0]?.attempts[2]).not.toHaveProperty('failure');
  });

  it('tells how long each wait was, and where its delay came from', () => {
    const { requests } = play('5ms a b c', { a: busy, b: reply(503), c: ok });
    expect(requests[0]?.waits).toEqual([
      { attempt: 1, start: 5, end: 3005, delay: 3000, source: 'retryAfter', kind: 'throttled', capped: false },
      { attempt: 2, start: 3005, end: 4005, delay: 1000, source: 'backoff', kind: 'transient', capped: false },
    ]);
  });

  it('tells of a wait that was capped', () => {
    const { requests } = play('a b', { a: reply(429, { headers: { 'retry-after': '300' } }), b: ok });
    expect(requests[0]?.waits).toMatchObject([{ delay: 60_000, capped: true }]);
  });

  it('emits once, at the end, and completes', () =>
    marbles(({ expect$ }) => {
      const http = createClient({ fetch: scriptedFetch('5ms a 5ms b', { a: busy, b: ok }), retry: policies.upload });
      const t$ = timeline(http.get('https://api.test/', { observe: 'events' }));
      expect$(t$).toBeMarbles('3010ms (t|)', { t: expect.objectContaining({ end: 3010 }) as unknown });
    }));

  it('is cold: each subscription is a request with a timeline of its own', () => {
    const ends = inVirtualTime(() => {
      const seen: number[] = [];
      const http = createClient({ fetch: scriptedFetch('5ms a 7ms b', { a: ok, b: ok }) });
      const t$ = timeline(http.get('https://api.test/', { observe: 'events' }));
      t$.subscribe(({ end }) => seen.push(end));
      t$.subscribe(({ end }) => seen.push(end));
      return seen;
    });
    expect(ends).toEqual([5, 7]);
  });

  it('makes an error the outcome, and why retrying gave up', () => {
    expect(play('a', { a: reply(404) }).requests[0]?.outcome).toEqual({
      type: 'gave-up',
      reason: 'terminal',
      status: 404,
      error: 'GET https://api.test/users: 404',
    });
  });

  it('keeps the timeline of a request that nobody retries', () => {
    const { requests, end } = play('5ms a', { a: reply(503) }, untold);
    expect(requests[0]).toMatchObject({
      attempts: [{ end: 5, status: 503, failure: 'response' }],
      outcome: { type: 'failed', status: 503 },
    });
    expect(end).toBe(5);
  });

  it.each([
    ['network', 'network'],
    ['hang', 'timeout'],
    [reply(200, { body: '{' }), 'body'],
  ] as const)('tells apart how an attempt fails: %s', (answer, failure) => {
    const { requests } = play([answer], {}, { retry: { ...policies.upload, rules: {} } });
    expect(requests[0]?.attempts).toMatchObject([{ failure }]);
  });

  it('shows an abort in a wait: the wait ends early', () => {
    const { requests, end } = play(
      'a',
      { a: busy },
      { ask: (http) => http.get('https://api.test/', { observe: 'events', abort$: timer(1500) }) },
    );
    expect(requests[0]).toMatchObject({ waits: [{ start: 0, end: 1500, delay: 3000 }], outcome: { type: 'aborted' }, end: 1500 });
    expect(end).toBe(1500);
  });

  it('takes the reason of a signal for an abort, not for a failure', () => {
    const controller = new AbortController();
    const { requests } = play(
      ['hang'],
      {},
      {
        ask: (http) => {
          timer(700).subscribe(() => controller.abort(new Error('stop')));
          return http.get('https://api.test/', { observe: 'events', signal: controller.signal });
        },
      },
    );
    expect(requests[0]).toMatchObject({ outcome: { type: 'aborted' }, attempts: [{ start: 0, end: 700 }] });
    expect(requests[0]?.attempts[0]).not.toHaveProperty('failure');
  });

  it('knows the deadline that ended a request', () => {
    const { requests } = play(['hang'], {}, { retry: { ...policies.upload, deadline: 5000 } });
    expect(requests[0]).toMatchObject({ deadline: 5000, attempts: [{ end: 5000, failure: 'deadline' }], outcome: { reason: 'deadline' } });
  });

  it('takes a deadline that it is told', () => {
    expect(play('a', { a: ok }, { deadline: 8000 }).requests[0]?.deadline).toBe(8000);
  });

  it('counts what was uploaded and downloaded', () => {
    const { requests } = play(
      'a',
      { a: reply(200, { body: 'hello' }) },
      {
        ask: (http) => http.put('https://api.test/', new Uint8Array(9), { observe: 'events', responseType: 'text' }),
      },
    );
    expect(requests[0]?.attempts).toMatchObject([{ downloaded: 5 }]);
  });

  it('joins what a gate tells twice into one wait with the better estimate', () => {
    const events$ = new Subject<HttpEvent>();
    const [t] = inVirtualTime(() => {
      const seen: Timeline[] = [];
      timeline(events$).subscribe((value) => seen.push(value));
      const gate = { type: 'wait', attempt: 1, until: 0, kind: 'gate', source: 'gate', capped: false, elapsed: 0 } as const;
      events$.next({ ...gate, delay: 4000 });
      wait(1000).subscribe(() => events$.next({ ...gate, delay: 5000 }));
      wait(6000).subscribe(() => {
        events$.next({ type: 'sent', attempt: 1 });
        events$.complete();
      });
      return seen;
    });
    expect(t?.requests[0]?.waits).toEqual([{ attempt: 1, start: 0, end: 6000, delay: 6000, source: 'gate', kind: 'gate', capped: false }]);
  });

  it('survives errors that are none', () => {
    const [t] = inVirtualTime(() => {
      const seen: Timeline[] = [];
      timeline(throwError(() => null)).subscribe((value) => seen.push(value));
      return seen;
    });
    expect(t?.requests[0]?.outcome).toEqual({ type: 'failed', error: 'null' });
  });

  it('emits nothing when it is unsubscribed', () => {
    const seen: Timeline[] = [];
    timeline(NEVER)
      .subscribe((value) => seen.push(value))
      .unsubscribe();
    expect(seen).toEqual([]);
  });

  it('is plain data', () => {
    const t = play('a b', { a: busy, b: ok });
    expect(JSON.parse(JSON.stringify(t))).toEqual(t);
  });
});
