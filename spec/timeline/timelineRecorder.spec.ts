import { forkJoin, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createClient, policies, UsageError } from 'coldfetch';
import { reply, scriptedFetch } from 'coldfetch/testing';
import { joinTimelines, type Timeline, timelineRecorder } from 'coldfetch/timeline';
import { inVirtualTime, play } from './play.js';

const busy = reply(429, { headers: { 'retry-after': '3' } });
const ok = reply(200, { json: [] });

describe('timelineRecorder', () => {
  it('makes a row of each request, called by method and path, without query', () => {
    const recorder = timelineRecorder();
    inVirtualTime(() => {
      const fetch = scriptedFetch('5ms a 5ms b 5ms c', { a: busy, b: ok, c: ok });
      // A pacer would hold the second request for the first one’s 429.
      const http = createClient({ fetch, retry: policies.upload, pace: false, interceptors: [recorder.interceptor] });
      http.get('https://api.test/users?token=secret').subscribe();
      timer(1000).subscribe(() => http.delete('https://api.test/users/1').subscribe());
    });
    expect(recorder.timeline().requests).toMatchObject([
      { label: 'GET /users', start: 0, end: 3010, outcome: { type: 'answered', status: 200 } },
      { label: 'DELETE /users/1', start: 1000, end: 1005 },
    ]);
  });

  it('shows what is still running', () => {
    const recorder = timelineRecorder();
    const seen: Timeline[] = [];
    inVirtualTime(() => {
      const http = createClient({ fetch: scriptedFetch(['hang']), interceptors: [recorder.interceptor] });
      const running = http.get('https://api.test/').subscribe();
      timer(250).subscribe(() => {
        seen.push(recorder.timeline());
        running.unsubscribe();
      });
    });
    expect(seen).toMatchObject([{ end: 250, requests: [{ attempts: [{ start: 0, end: 250 }], outcome: { type: 'running' } }] }]);
  });

  it('counts what was unsubscribed as aborted', () => {
    const recorder = timelineRecorder();
    inVirtualTime(() => {
      const http = createClient({ fetch: scriptedFetch([busy]), interceptors: [recorder.interceptor] });
      const running = http.get('https://api.test/').subscribe();
      timer(400).subscribe(() => running.unsubscribe());
    });
    expect(recorder.timeline().requests).toMatchObject([{ end: 400, outcome: { type: 'aborted' }, waits: [{ end: 400, delay: 3000 }] }]);
  });

  it('changes nothing: values and errors go through', () => {
    const recorder = timelineRecorder();
    const heard: unknown[] = [];
    inVirtualTime(() => {
      const http = createClient({ fetch: scriptedFetch([ok, reply(404)]), interceptors: [recorder.interceptor] });
      const note = { next: (value: unknown) => heard.push(value), error: ({ status }: { status: number }) => heard.push(status) };
      http.get('https://api.test/').subscribe(note);
      http.get('https://api.test/').subscribe(note);
    });
    expect(heard).toEqual([[], 404]);
  });

  it('remembers the latest, so that it may run for ever', () => {
    const recorder = timelineRecorder({ limit: 2 });
    inVirtualTime(() => {
      const http = createClient({ fetch: scriptedFetch([ok, ok, ok]), interceptors: [recorder.interceptor] });
      forkJoin([1, 2, 3].map((id) => http.get(`https://api.test/${id}`))).subscribe();
    });
    expect(recorder.timeline().requests.map(({ label }) => label)).toEqual(['GET /2', 'GET /3']);
  });

  it.each([0, -1, 1.5, NaN])('refuses to remember %d requests', (limit) => {
    expect(() => timelineRecorder({ limit })).toThrow(UsageError);
  });

  it('is empty before anything happened', () => {
    expect(timelineRecorder().timeline()).toEqual({ began: 0, end: 0, requests: [] });
  });
});

describe('joinTimelines', () => {
  it('puts rows on one axis, from when each began', () => {
    const early = { ...play('5ms a', { a: ok }, { label: 'early' }), began: 1000 };
    const late = { ...play('5ms a', { a: ok }, { label: 'late' }), began: 1200 };
    expect(joinTimelines([late, early])).toMatchObject({
      began: 1000,
      end: 205,
      requests: [
        { label: 'early', start: 0, end: 5 },
        { label: 'late', start: 200, end: 205, attempts: [{ start: 200, headersAt: 205 }] },
      ],
    });
  });
});
