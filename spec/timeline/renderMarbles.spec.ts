import { merge, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { concurrency, createClient, policies, UsageError } from 'coldfetch';
import { reply, scriptedFetch } from 'coldfetch/testing';
import { joinTimelines, renderMarbles, timelineRecorder } from 'coldfetch/timeline';
import { inVirtualTime, play } from './play.js';

const busy = reply(429, { headers: { 'retry-after': '3' } });
const ok = reply(200);

describe('renderMarbles', () => {
  it('draws failures, waits and the answer in one line', () => {
    expect(renderMarbles(play('5ms a 5ms b 5ms c', { a: busy, b: reply(503), c: ok }))).toBe('--x(429) ~3s~ --x(503) ~1s~ --o(200)');
  });

  it('says what came instead of a status, and how long it took', () => {
    expect(renderMarbles(play(['hang', 'network', ok]))).toBe('-30s-x(timeout) ~1s~ --x(network) ~2s~ --o(200)');
  });

  it('says why it gave up', () => {
    expect(renderMarbles(play([reply(404)]))).toBe('--x(404) #(terminal)');
  });

  it('shows where the caller ended a wait', () => {
    const t = play([busy], {}, { ask: (http) => http.get('https://api.test/', { observe: 'events', abort$: timer(1500) }) });
    expect(renderMarbles(t)).toBe('--x(429) ~1.5s of 3s !');
  });

  it('shows where the caller ended an attempt', () => {
    const t = play(['hang'], {}, { ask: (http) => http.get('https://api.test/', { observe: 'events', abort$: timer(1500) }) });
    expect(renderMarbles(t)).toBe('-1.5s- !');
  });

  it('shows an error of which retrying said nothing', () => {
    // Nothing explains the end of a request without retry and pacer.
    expect(renderMarbles(play([reply(503)], {}, { retry: false, pace: false }))).toBe('--x(503) #');
  });

  it('shows a retry without delay', () => {
    expect(renderMarbles(play([reply(429, { headers: { 'retry-after': '0' } }), ok]))).toBe('--x(429) ~0s~ --o(200)');
  });

  it('puts names in front of rows, and how much later they start', () => {
    const first = play([ok], {}, { label: 'GET /users' });
    const second = { ...play([busy, ok], {}, { label: 'PUT /a' }), began: 2000 };
    expect(renderMarbles(joinTimelines([first, second]))).toBe(
      // prettier-ignore
      'GET /users  --o(200)\n' +
      'PUT /a      2s --x(429) ~3s~ --o(200)',
    );
  });

  it('shows the wait at a gate before its attempt', () => {
    const t = play('5ms a 5ms b', { a: busy, b: ok }, { pace: {}, retry: policies.upload });
    expect(renderMarbles(t)).toMatch(/^--x\(429\) ~3(\.\d+)?s~ --o\(200\)$/);
  });

  it('shows time in a queue that told nothing', () => {
    const recorder = timelineRecorder();
    inVirtualTime(() => {
      const fetch = scriptedFetch('5s a 5s a', { a: ok });
      const http = createClient({ baseUrl: 'https://api.test', fetch, pace: concurrency(1), interceptors: [recorder.interceptor] });
      merge(http.get('/1'), http.get('/2')).subscribe();
    });
    expect(renderMarbles(recorder.timeline())).toBe('GET /1  -5s-o(200)\nGET /2  5s -5s-o(200)');
  });

  it('shows how long it was in a queue when the caller left', () => {
    const row = { label: '', start: 0, end: 2500, attempts: [], waits: [], outcome: { type: 'aborted' } } as const;
    expect(renderMarbles({ began: 0, end: 2500, requests: [row] })).toBe('2.5s !');
  });

  it('takes an answer whose body was cut off for no answer', () => {
    const slow = reply(200, { chunks: 'a 5s b|' });
    const t = play([slow], {}, { ask: (http) => http.get('https://api.test/', { observe: 'events', abort$: timer(1500) }) });
    expect(renderMarbles(t)).toBe('-1.5s- !');
  });

  it('keeps to a width: names are cut, and lines go on under the diagram', () => {
    const one = play(['network', busy, busy, ok], {}, { label: 'PUT /screenshots/a/very/long/path/home.png' });
    const two = { ...play([ok], {}, { label: 'GET /' }), began: 2000 };
    expect(renderMarbles(joinTimelines([one, two]), { width: 50 })).toBe(
      [
        '…ry/long/path/home.png  --x(network) ~1s~ --x(429)',
        '                        ~3s~ --x(429) ~3s~',
        '                        --o(200)',
        'GET /                   2s --o(200)',
      ].join('\n'),
    );
  });

  it('keeps a name in its line, whatever is in it', () => {
    const row = play([ok], {}, { label: 'a\n\u001b[31mb\tc' });
    expect(renderMarbles(joinTimelines([row, row]))).toBe('a [31mb c  --o(200)\na [31mb c  --o(200)');
  });

  it('refuses a width in which nothing can be read', () => {
    expect(() => renderMarbles(play([ok]), { width: 20 })).toThrow(UsageError);
    expect(() => renderMarbles(play([ok]), { width: NaN })).toThrow(UsageError);
  });

  it('is empty where nothing happened', () => {
    expect(renderMarbles({ began: 0, end: 0, requests: [] })).toBe('');
  });
});
