import { concat, from, NEVER, type Observable, of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { serverSentEvents } from 'coldfetch';
import { elapsed } from '../../../src/time.js';

/**
 * The cases of the web platform tests for EventSource (`eventsource/` in web-platform-tests/wpt) that concern the format of the stream, the
 * content type and the status, restated. Exceptions:
 *
 * - Any status from 200 to 299 will do, not 200 alone: answers to a POST are streamed too, and have a 201.
 * - An answer without a content type passes: it says nothing against being an event stream.
 * - The waits are held within 0.5 to 60 s.
 * - Cookies, CORS, `no-store` and redirects are the business of what `connect` sends.
 */
interface Case {
  readonly name: string;
  readonly stream: string;
  /** Type, data and last event id. */
  readonly events: readonly (readonly [string, string, string])[];
}

const message = (data: string, id = ''): readonly [string, string, string] => ['message', data, id];

const FORMAT: readonly Case[] = [
  { name: 'bom: the first is dropped', stream: '\uFEFFdata:1\n\n\uFEFFdata:2\n\ndata:3\n\n', events: [message('1'), message('3')] },
  { name: 'bom-2: only the first', stream: '\uFEFF\uFEFFdata:1\n\ndata:2\n\ndata:3\n\n', events: [message('2'), message('3')] },
  {
    name: 'comments',
    stream: `data:1\n:\0\n:\r\ndata:2\n:${'x'.repeat(2048)}\rdata:3\n:data:fail\r:${'x'.repeat(2048)}\ndata:4\n\n`,
    events: [message('1\n2\n3\n4')],
  },
  { name: 'data before the final empty line', stream: 'retry:1000\ndata:test1\n\nid:test\ndata:test2', events: [message('test1')] },
  { name: 'field-data', stream: 'data:\n\ndata\ndata\n\ndata:test\n\n', events: [message(''), message('\n'), message('test')] },
  { name: 'field-event', stream: 'event:test\ndata:x\n\ndata:x\n\n', events: [['test', 'x', ''], message('x')] },
  { name: 'field-event-empty', stream: 'event: \ndata:data\n\n', events: [message('data')] },
  { name: 'field-id: persists', stream: 'id: 1\ndata: 1\n\ndata:2\n\n', events: [message('1', '1'), message('2', '1')] },
  {
    name: 'field-id: changes and persists',
    stream: 'id: 1\ndata: 1\n\nid: 2\ndata:2\n\ndata:3\n\n',
    events: [message('1', '1'), message('2', '2'), message('3', '2')],
  },
  {
    name: 'field-id: resets',
    stream: 'id: 1\ndata: 1\n\nid:\ndata:2\n\ndata:3\n\n',
    events: [message('1', '1'), message('2'), message('3')],
  },
  {
    name: 'field-id: resets without a colon',
    stream: 'id: 1\ndata: 1\n\nid\ndata:2\n\ndata:3\n\n',
    events: [message('1', '1'), message('2'), message('3')],
  },
  { name: 'field-id: without data', stream: 'id: 1\n\ndata:2\n\n', events: [message('2', '1')] },
  { name: 'field-id: beyond ASCII', stream: 'id: …\ndata: a\n\n', events: [message('a', '…')] },
  { name: 'field-id: one leading space is no part of it', stream: 'id:  1 \ndata: a\n\n', events: [message('a', ' 1 ')] },
  {
    name: 'field-id-null: a NULL voids the field',
    stream: 'id:\0\0\ndata: a\n\nid: 1\nid: 2\0\ndata: b\n\n',
    events: [message('a'), message('b', '1')],
  },
  {
    name: 'field-parsing',
    stream: 'data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n',
    events: [message('\0\n 2\n1\n3\n\n4')],
  },
  {
    name: 'field-unknown',
    stream: 'data:test\n data\ndata\nfoobar:xxx\njustsometext\n:comment\ndata:test\n\n',
    events: [message('test\n\ntest')],
  },
  { name: 'leading-space', stream: 'data:\ttest\rdata: \ndata:test\n\n', events: [message('\ttest\n\ntest')] },
  { name: 'newlines', stream: 'data:test\r\ndata\ndata:test\r\n\r', events: [message('test\n\ntest')] },
  { name: 'null-character', stream: 'data:\0\n\n\n\n', events: [message('\0')] },
  { name: 'utf-8', stream: 'data:ok…\n\n', events: [message('ok…')] },
];

interface Played {
  readonly events: [string, string, string][];
  /** Moments of the connections, in ms. */
  readonly connections: number[];
  error?: unknown;
}

/** Reads what is answered first; later connections stay open and silent. */
function play(answer: Response | Observable<Uint8Array>): Played {
  const played: Played = { events: [], connections: [] };
  new TestScheduler(() => {}).run(() => {
    const start = elapsed();
    serverSentEvents(() => (played.connections.push(elapsed() - start) === 1 ? of(answer) : of(NEVER))).subscribe({
      next: ({ event, data, id }) => played.events.push([event, data, id]),
      error: (error: unknown) => (played.error = error),
    });
  });
  return played;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('an event stream, by the web platform tests', () => {
  it.each(FORMAT)('format-$name', ({ stream, events }) => {
    const whole = bytes(stream);
    for (let at = 0; at <= whole.length; at += Math.max(1, Math.floor(whole.length / 200))) {
      expect({ at, events: play(from([whole.subarray(0, at), whole.subarray(at)])).events }).toEqual({ at, events });
    }
  });

  it.each([
    { name: 'retry', fields: 'retry:5000', wait: 5000 },
    { name: 'retry-bogus', fields: 'retry:5000\nretry:1000x', wait: 5000 },
    { name: 'retry-empty', fields: 'retry:5000\nretry', wait: 5000 },
    { name: 'retry with a space before it', fields: 'retry: 5000', wait: 5000 },
    { name: 'retry with two', fields: 'retry:  5000', wait: 3000 },
    { name: 'retry with a sign', fields: 'retry:+5000', wait: 3000 },
    { name: 'retry in hexadecimal', fields: 'retry:0x1388', wait: 3000 },
    { name: 'retry in other digits', fields: 'retry:٥٠٠٠', wait: 3000 },
  ])('format-field-$name', ({ fields, wait }) => {
    expect(play(from([bytes(`${fields}\nid:1\ndata:x\n\n`)])).connections).toEqual([0, wait]);
  });

  it('takes a retry field before the end of its block', () => {
    expect(play(from([bytes('id:1\ndata:x\n\nretry:5000\n')])).connections).toEqual([0, 5000]);
  });

  it.each([
    ['text/event-stream', true],
    ['text/event-stream;', true],
    ['text/event-stream;x=bogus', true],
    ['TEXT/Event-Stream ; charset=windows-1251', true],
    ['text/event-streams', false],
    ['text/x-bogus', false],
    ['bogus', false],
    ['text/plain; text/event-stream', false],
  ])('format-mime: %s', (type, fits) => {
    const { error } = play(new Response(null, { headers: { 'content-type': type } }));
    expect(error === undefined).toBe(fits);
  });

  it.each([300, 304, 404, 410])('request-status-error: %i', (status) => {
    expect(play(new Response(null, { status }))).toMatchObject({ error: { status }, connections: [0] });
  });

  it('request-status-error: 204 is the end', () => {
    expect(play(new Response(null, { status: 204 }))).toEqual({ events: [], connections: [0] });
  });

  it('what a stream that stays open has sent is given at once', () => {
    expect(play(concat(from([bytes('data: a\r\r')]), NEVER)).events).toEqual([message('a')]);
  });
});
