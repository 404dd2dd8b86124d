import { createClient } from 'coldfetch';
import { defer, lastValueFrom, NEVER, of, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { serverSentEvents } from '../../../src/read/streams/serverSentEvents.js';
import { isStreamError } from '../../../src/read/streams/StreamError.js';
import { isBodyError } from '../../../src/request/errors/BodyError.js';
import { isHttpError } from '../../../src/request/errors/HttpError.js';
import { NetworkError } from '../../../src/request/errors/NetworkError.js';
import { attachReport } from '../../../src/operation/retryReport.js';
import { wait } from '../../../src/time.js';
import { browserNetwork } from '../../support/browserNetwork.js';
import { closed, lost, lostAfter, open, play, refused } from './serverSentEvents.support.js';

describe('serverSentEvents', () => {
  describe('reconnecting', () => {
    it('goes on with Last-Event-ID after 3 s when a stream with ids breaks off', () => {
      const { events, connections } = play([lostAfter('id: 1\ndata: a\n\ndata: b\n\ndata: cu'), open('id: 2\ndata: c\n\n')]);
      expect(events).toEqual(['message a 1', 'message b 1', 'message c 2']);
      expect(connections).toEqual([
        { at: 0, id: undefined },
        { at: 3000, id: '1' },
      ]);
    });

    it('goes on likewise when the server closes a stream with ids', () => {
      expect(play([closed('id: 1\ndata: a\n\n'), open('id: 2\ndata: b\n\n')]).connections).toEqual([
        { at: 0, id: undefined },
        { at: 3000, id: '1' },
      ]);
    });

    it('begins with the id that it is given', () => {
      expect(play([open('')], { lastEventId: '41' }).connections).toEqual([{ at: 0, id: '41' }]);
    });

    it('goes on from an id that came without data, as the standard says', () => {
      expect(play([lostAfter('id: 7\n\n'), open('data: a\n\n')])).toMatchObject({
        events: ['message a 7'],
        connections: [
          { at: 0, id: undefined },
          { at: 3000, id: '7' },
        ],
      });
    });

    it('does not go on from an id whose block did not end', () => {
      expect(play([lostAfter('id: 1\ndata: a\n\nid: 2\ndata: b\n'), open('')]).connections[1]).toEqual({ at: 3000, id: '1' });
    });

    it('forgets the id when the server empties it', () => {
      expect(play([lostAfter('id: 1\ndata: a\n\nid\n\n'), open('data: b\n\n')])).toMatchObject({
        events: ['message a 1'],
        connections: [{ at: 0 }],
      });
    });

    it.each(['\u0001', '\u001b[31m', '\u007f'])('ends at an id that no header field can carry, and does not ask for ever: %j', (id) => {
      const { error, connections } = play([lostAfter(`id: 1${id}\ndata: a\n\n`), open('')]);
      expect(isBodyError(error) && error.message).toContain('The id of the last event holds a control character');
      expect(connections).toHaveLength(1);
    });

    it('sends an id of any length', () => {
      const id = 'x'.repeat(300_000);
      expect(play([lostAfter(`id: ${id}\ndata: a\n\n`), open('')]).connections[1]?.id).toBe(id);
    });

    it('sends an id as UTF-8', () => {
      expect(play([open('')], { lastEventId: 'é' }).connections).toEqual([{ at: 0, id: 'Ã©' }]);
    });

    it.each([
      ['retry: 10', 500],
      ['retry: 500', 500],
      ['retry: 7000', 7000],
      ['retry: 3600000', 60_000],
      ['retry: 99999999999999999999', 60_000],
      ['retry: -1', 3000],
      ['retry: 1.5', 3000],
    ])('obeys "%s" by waiting %i ms', (field, at) => {
      expect(play([closed(`${field}\nid: 1\ndata: a\n\n`), open('')]).connections[1]?.at).toBe(at);
    });

    it('is over with a 204', () => {
      const gone = of(new Response(null, { status: 204 }));
      const { events, connections, completedAt } = play([closed('retry: 1000\nid: 1\ndata: a\n\n'), gone]);
      expect({ events, connections: connections.length, completedAt }).toEqual({
        events: ['message a 1'],
        connections: 2,
        completedAt: 1000,
      });
    });

    it('never asks more often than twice a second, however soon the server closes', () => {
      const { connections } = play(Array.from({ length: 5 }, () => closed('retry: 0\nid: 1\n\n')));
      expect(connections.map(({ at }) => at)).toEqual([0, 500, 1000, 1500, 2000, 2500]);
    });

    it('is over when the server closes a stream that has neither ids nor retry', () => {
      expect(play([closed('data: a\n\ndata: [DONE]\n\n')])).toMatchObject({ completedAt: 0, error: undefined });
    });

    it('connects again when the stream breaks before any event', () => {
      expect(play([lostAfter(': hello\n'), open('data: a\n\n')])).toMatchObject({ events: ['message a '], error: undefined });
    });

    it('waits twice as long after each failure to connect, and as at first after an event', () => {
      const down = throwError(() => lost);
      const { connections } = play([down, down, refused(503), lostAfter('id: 1\ndata: a\n\n'), down, open('')]);
      expect(connections.map(({ at }) => at)).toEqual([0, 3000, 9000, 21_000, 24_000, 30_000]);
    });

    it('takes a connection that breaks after a comment for none that failed', () => {
      const { connections, error } = play(
        Array.from({ length: 20 }, () => lostAfter(': heartbeat\n')),
        { maxFailures: 2 },
      );
      expect(error).toBeUndefined();
      expect(connections.slice(0, 4).map(({ at }) => at)).toEqual([0, 3000, 6000, 9000]);
    });

    it('never waits longer than a minute by itself', () => {
      const { connections } = play(
        Array.from({ length: 8 }, () => throwError(() => lost)),
        {},
      );
      expect(connections.slice(-2).map(({ at }, i, all) => at - (all[i - 1]?.at ?? 0))[1]).toBe(60_000);
    });

    it('never connects before Retry-After', () => {
      expect(play([refused(429, { 'retry-after': '90' }), open('')]).connections.map(({ at }) => at)).toEqual([0, 90_000]);
    });

    it("reads a date in Retry-After by the server's clock", () => {
      const headers = { date: 'Wed, 21 Oct 2026 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' };
      expect(play([refused(503, headers), open('')]).connections.map(({ at }) => at)).toEqual([0, 30_000]);
    });

    it('does not connect again while the browser is offline, and counts no failure for it', () => {
      const network = browserNetwork();
      const answer$ = defer(() => {
        network.offline();
        wait(600_000).subscribe(network.online);
        return throwError(() => lost);
      });
      const { connections, events } = play([answer$, open('data: a\n\n')], { maxFailures: 1 });
      expect(connections.map(({ at }) => at)).toEqual([0, 600_000]);
      expect(events).toEqual(['message a ']);
    });

    it('gives up on a Retry-After of more than 15 minutes', () => {
      expect(isHttpError(play([refused(429, { 'retry-after': '901' })]).error)).toBe(true);
    });

    it('gives up after maxFailures in a row', () => {
      const down = throwError(() => lost);
      const { connections, error } = play([down, down, down, down], { maxFailures: 2 });
      expect({ connections: connections.length, error }).toEqual({ connections: 3, error: lost });
    });

    it.each([400, 401, 403, 404, 410])('takes a %i for final', (status) => {
      const { connections, error } = play([refused(status), open('')]);
      expect(connections).toHaveLength(1);
      expect(error).toMatchObject({ status });
    });

    it('takes a bad certificate for final', () => {
      const untrusted = new NetworkError('GET https://api.example/: self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', {
        cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      });
      expect(play([throwError(() => untrusted), open('')])).toMatchObject({ error: untrusted, connections: [{ at: 0 }] });
    });

    it('takes the status of a bare fetch for an error too', () => {
      expect(play([of(new Response('no', { status: 404 }))]).error).toMatchObject({ status: 404 });
    });

    it('takes any other content type for final', () => {
      const page = of(new Response('<html>', { headers: { 'content-type': 'text/html' } }));
      const { connections, error } = play([page, open('')]);
      expect(connections).toHaveLength(1);
      expect(isBodyError(error)).toBe(true);
    });

    it('takes any other content type for final where a client gives the answer, and names the URL without its query', () => {
      const answer = { type: 'response', attempt: 1, status: 200, url: 'https://api.example/events?key=hush', body: null } as const;
      const page = of({ ...answer, headers: new Headers({ 'content-type': 'application/json' }) });
      const { connections, error } = play([page, open('')]);
      expect(connections).toHaveLength(1);
      expect((error as Error).message).toBe(
        'The answer of https://api.example/events is not an event stream but application/json; read it as what it is',
      );
    });

    it('takes it for final, too, where a client gives the bare stream', async () => {
      const page = new Response('<html>', { headers: { 'content-type': 'text/html' } });
      const http = createClient({ fetch: () => Promise.resolve(page), retry: false });
      const events$ = serverSentEvents((headers) => http.get('https://api.example/events', { headers, responseType: 'stream' }));
      await expect(lastValueFrom(events$)).rejects.toSatisfy(isBodyError);
    });

    it('does not begin again what a retry has given up on', () => {
      const error = new NetworkError('GET https://api.example/: failed', undefined);
      attachReport({ attempts: 4, elapsed: 1, reason: 'exhausted', retries: {}, waited: 0 }, error);
      expect(play([throwError(() => error), open('')])).toMatchObject({ error, connections: [{ at: 0 }] });
    });

    it('ends the wait when it is unsubscribed', () => {
      let connections = 0;
      new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ expectObservable }) => {
        const events$ = serverSentEvents(() => {
          connections++;
          return throwError(() => lost);
        });
        expectObservable(events$, '1s !').toBe('-');
      });
      expect(connections).toBe(1);
    });
  });

  describe('a stream without ids that breaks off after output', () => {
    it('is an error that says how far it got', () => {
      const { events, error, connections } = play([lostAfter('data: a\n\ndata: b\n\n'), open('')]);
      expect(events).toEqual(['message a ', 'message b ']);
      expect(connections).toHaveLength(1);
      expect(isStreamError(error) && error.progress).toEqual({ received: 2 });
      expect((error as Error).message).toBe('The event stream broke off after 2 events, which had no ids; pass resume to go on from there');
      expect((error as Error).cause).toBe(lost);
    });

    it('goes on by resume', () => {
      const asked: unknown[] = [];
      const { events, connections } = play([lostAfter('data: a\n\n')], {
        resume: (progress) => {
          asked.push(progress);
          return closed('data: b\n\n');
        },
      });
      expect(events).toEqual(['message a ', 'message b ']);
      expect(asked).toEqual([{ received: 1 }]);
      expect(connections).toHaveLength(1);
    });
  });

  describe('reconnect', () => {
    it("'always' goes on after every end, as a browser does, with ids or without", () => {
      const { events, connections, error } = play([closed('data: a\n\n'), lostAfter('data: b\n\n'), open('data: c\n\n')], {
        reconnect: 'always',
      });
      expect({ events, error }).toEqual({ events: ['message a ', 'message b ', 'message c '], error: undefined });
      expect(connections.map(({ at }) => at)).toEqual([0, 3000, 6000]);
    });

    it("'always' is over with a 204 all the same", () => {
      expect(play([closed('data: a\n\n'), of(null)], { reconnect: 'always' }).completedAt).toBe(3000);
    });

    it("'never' takes a close for the end, whatever the server sent", () => {
      const { events, connections, completedAt } = play([closed('retry: 500\nid: 1\ndata: a\n\n'), open('')], { reconnect: 'never' });
      expect({ events, completedAt, connections: connections.length }).toEqual({ events: ['message a 1'], completedAt: 0, connections: 1 });
    });

    it("'never' takes a break after output for an error that says how far it got", () => {
      const { error, connections } = play([lostAfter('id: 1\ndata: a\n\n'), open('')], { reconnect: 'never' });
      expect(isStreamError(error) && error.progress).toEqual({ received: 1, lastEventId: '1' });
      expect((error as Error).message).toBe('The event stream broke off after 1 event');
      expect(connections).toHaveLength(1);
    });

    it("'never' tries to open the stream again until it is open", () => {
      const down = throwError(() => lost);
      const { connections, events, completedAt } = play([down, refused(503), closed('data: a\n\n'), open('')], { reconnect: 'never' });
      expect(connections.map(({ at }) => at)).toEqual([0, 3000, 9000]);
      expect({ events, completedAt }).toEqual({ events: ['message a '], completedAt: 9000 });
    });

    it("'never' takes a break before the first event for final, once the stream is open", () => {
      expect(play([lostAfter(': hello\n'), open('')], { reconnect: 'never' })).toMatchObject({ error: lost, connections: [{ at: 0 }] });
    });

    it("'never' gives up on the opening after maxFailures", () => {
      const down = throwError(() => lost);
      expect(play([down, open('')], { reconnect: 'never', maxFailures: 0 })).toMatchObject({ error: lost, connections: [{ at: 0 }] });
    });

    it('is one of three', () => {
      expect(() => serverSentEvents(() => NEVER, { reconnect: 'sometimes' as never })).toThrow(
        "serverSentEvents: reconnect is sometimes; give 'resumable', 'always' or 'never'",
      );
    });
  });
});
