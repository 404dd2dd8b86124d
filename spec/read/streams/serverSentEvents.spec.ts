import { concat, concatMap, from, interval, map, NEVER, type Observable, of, take, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { type EventStream, serverSentEvents } from '../../../src/read/streams/serverSentEvents.js';
import { isStreamError } from '../../../src/read/streams/StreamError.js';
import { isBodyError } from '../../../src/request/errors/BodyError.js';
import { isTimeoutError } from '../../../src/request/errors/TimeoutError.js';
import { isUsageError } from '../../../src/request/errors/UsageError.js';
import { wait } from '../../../src/time.js';
import { failureOf } from '../../support/failureOf.js';
import { closed, encode, lostAfter, open, play, playEach, stream } from './serverSentEvents.support.js';

const TRICKY = [
  '\uFEFF: a comment\n',
  'data: é\r\n\r\n',
  'event: 日本\rdata:  two\rdata\rdata:three\r\r',
  'id: 👩‍🚀\nunknown: x\nretry: soon\ndata: {"a":1}\n\n',
  'data\n\n',
  'id\ndata: no id from here\r\n\n',
  'event: only\n\n',
  'data: last\r\r',
  'data: cut off\n',
].join('');

const TRICKY_EVENTS = [
  'message é ',
  '日本  two\n\nthree ',
  'message {"a":1} 👩‍🚀',
  'message  👩‍🚀',
  'message no id from here ',
  'message last ',
];

describe('serverSentEvents', () => {
  it('gives type, data and id of each event', () => {
    expect(play([open('data: a\n\nevent: tick\nid: 7\ndata: b\n\n')]).events).toEqual(['message a ', 'tick b 7']);
  });

  it('gives the same events wherever a tricky document is cut in two', () => {
    const whole = encode(TRICKY);
    for (let at = 0; at <= whole.length; at++) {
      const { events, error } = play([of(from([whole.subarray(0, at), whole.subarray(at)])), of(null)], {});
      expect({ at, events, error }).toEqual({ at, events: TRICKY_EVENTS, error: undefined });
    }
  });

  it('gives the same events when each byte comes alone', () => {
    expect(play([of(from([...encode(TRICKY)].map((byte) => Uint8Array.of(byte)))), of(null)]).events).toEqual(TRICKY_EVENTS);
  });

  it('reads a Response, and asks for an event stream', async () => {
    let accept: string | undefined;
    const events = await new Promise<string[]>((resolve, reject) => {
      const seen: string[] = [];
      serverSentEvents((headers) => {
        accept = headers.accept;
        return Promise.resolve(new Response('data: a\n\ndata: b\n\n', { headers: { 'content-type': 'text/event-stream;charset=utf-8' } }));
      }).subscribe({ next: ({ data }) => seen.push(data), error: reject, complete: () => resolve(seen) });
    });
    expect({ events, accept }).toEqual({ events: ['a', 'b'], accept: 'text/event-stream' });
  });

  it('does nothing before it is subscribed, and connects for each subscription', () => {
    let connections = 0;
    const events$ = serverSentEvents(() => {
      connections++;
      return of(NEVER);
    });
    expect(connections).toBe(0);
    events$.subscribe().unsubscribe();
    events$.subscribe().unsubscribe();
    expect(connections).toBe(2);
  });

  describe('timeout', () => {
    const beating = (...parts: string[]): Observable<EventStream> =>
      of(
        concat(
          interval(20_000).pipe(
            take(3),
            concatMap(() => stream(': heartbeat\n')),
          ),
          stream(...parts),
          NEVER,
        ),
      );

    it('takes a silent connection for lost, and goes on', () => {
      const { events, connections } = play([open('id: 1\ndata: a\n\n'), open('data: b\n\n')], { timeout: 30_000 });
      expect(events.slice(0, 2)).toEqual(['message a 1', 'message b 1']);
      expect(connections[1]).toEqual({ at: 33_000, id: '1' });
    });

    it('is kept off by comments', () => {
      expect(play([beating('data: a\n\n')], { timeout: 30_000, reconnect: 'never' }).events).toEqual(['message a ']);
    });

    it('is an error after output where there are no ids', () => {
      const { error } = play([open('data: a\n\n')], { timeout: 30_000 });
      expect(isStreamError(error) && isTimeoutError(error.cause)).toBe(true);
    });

    it('is not there unless asked for', () => {
      expect(play([open('data: a\n\n')]).connections).toHaveLength(1);
    });
  });

  describe('each', () => {
    it('works on one event at a time, and gives what comes of it', () => {
      const seen: string[] = [];
      new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ expectObservable }) => {
        const saved$ = serverSentEvents(() => of(stream('data: a\n\ndata: b\n\n')), {
          each: ({ data }) => {
            seen.push(data);
            return wait(1000).pipe(map(() => data.toUpperCase()));
          },
        });
        expectObservable(saved$).toBe('1s A 999ms (B|)');
      });
      expect(seen).toEqual(['a', 'b']);
    });

    it('that fails is the end, though it looks like the network', () => {
      const failure = new TypeError('fetch failed');
      const run = playEach(lostAfter('id: 1\ndata: a\n\n'), () => throwError(() => failure));
      expect(run).toEqual({ error: failure, connections: 1 });
    });
  });

  describe('limits', () => {
    it('pass on what came before an event that is too long, wherever the chunks are cut', () => {
      const whole = encode(`data: a\n\ndata: b\n\ndata: ${'x'.repeat(200)}\n\ndata: c\n\n`);
      for (let at = 0; at <= whole.length; at++) {
        const { events, error } = play([of(from([whole.subarray(0, at), whole.subarray(at)]))], { maxEventLength: 100 });
        expect({ at, events, refused: isBodyError(error) }).toEqual({ at, events: ['message a ', 'message b '], refused: true });
      }
    });

    it.each([1, 7, 1000])('refuse an event that is too long, in chunks of %i bytes', (size) => {
      const whole = encode(`data: a\n\ndata: ${'x'.repeat(200)}\n\n`);
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.subarray(i * size, (i + 1) * size));
      expect(isBodyError(play([of(from(chunks))], { maxEventLength: 100 }).error)).toBe(true);
    });

    it('refuse a connection of more than maxBytes', () => {
      expect(isBodyError(play([closed('data: a\n\n', 'data: b\n\n')], { maxBytes: 12 }).error)).toBe(true);
    });

    it.each([{ reconnectAfter: NaN }, { maxFailures: -1 }, { timeout: 0 }, { maxEventLength: 0 }, { maxBytes: NaN }])(
      'refuse %o',
      (options) => {
        expect(isUsageError(failureOf(() => serverSentEvents(() => NEVER, options)))).toBe(true);
      },
    );

    it('refuse what does not connect, at the call', () => {
      const { message } = failureOf(() => serverSentEvents(undefined as never));
      expect(message).toBe(
        'serverSentEvents: connect is undefined; give a function that opens the stream with the header fields it is given',
      );
    });
  });

  it('closes the connection when enough has been taken', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encode('data: a\n\ndata: b\n\n')),
      cancel: () => {
        cancelled = true;
      },
    });
    const first = await new Promise<string>((resolve) => {
      serverSentEvents(() => of(new Response(body)))
        .pipe(
          take(1),
          map(({ data }) => data),
        )
        .subscribe(resolve);
    });
    expect({ first, cancelled }).toEqual({ first: 'a', cancelled: true });
  });
});
