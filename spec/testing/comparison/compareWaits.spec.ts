import { Subject, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles, reply } from 'coldfetch/testing';
import { failureOf } from '../../support/failureOf.js';

describe('toWait', () => {
  const wait = (source: string, delay: number) => ({ type: 'wait', source, delay });

  it('compares the waits of a stream of events', () =>
    marbles(({ server, http, expect$ }) => {
      server.on('GET /', [reply(429, { headers: { 'retry-after': '3' } }), 503, reply(200, { json: 1 })]);
      expect$(http.get('/', { observe: 'events' })).toWait([expect.stringMatching(/^(retry-after|gate) 3s$/), 'backoff 500ms']);
    }));

  it('compares the waits in a list, at the end of the block', () =>
    marbles(({ expect$ }) => {
      const events: unknown[] = [];
      const event$ = new Subject<unknown>();
      event$.subscribe((event) => events.push(event));
      expect$(events).toWait(['retry-after 3s', 'backoff 1.5s', 'backoff 1s 500ms']);
      timer(10).subscribe(() => {
        for (const event of [wait('retryAfter', 3000), { type: 'sent' }, wait('backoff', 1500), wait('backoff', 1500)]) event$.next(event);
      });
    }));

  it('compares a list that is over at once', () => {
    expect([wait('rateLimit', 60_000)]).toWait(['rate-limit 1m']);
    expect(() => expect([wait('rateLimit', 60_000)]).not.toWait(['rate-limit 60s'])).toThrow('expect(received).not.toWait(expected)');
  });

  it.each([
    [['retry-after 3s', 'backoff 2s'], 'differs   wait 2 is backoff 1s where backoff 2s was expected'],
    [['retry-after 3s'], 'differs   wait 2, backoff 1s, was not expected'],
    [['retry-after 3s', 'backoff 1s', 'backoff 2s'], 'differs   wait 3, backoff 2s, did not come'],
    [[], 'differs   wait 1, retry-after 3s, was not expected'],
  ])('says how %j differs', (expected, reason) => {
    expect(() => expect([wait('retryAfter', 3000), wait('backoff', 1000)]).toWait(expected)).toThrow(reason);
  });

  it('lists what was expected and what came', () => {
    expect(failureOf(() => expect([wait('backoff', 1000)]).toWait([])).message.split('\n')).toEqual([
      'expect(received).toWait(expected)',
      '',
      'expected  (no wait)',
      'received  backoff 1s',
      'differs   wait 1, backoff 1s, was not expected',
    ]);
  });

  it('refuses what emits no events', () => {
    expect(() =>
      marbles(({ server, http, expect$ }) => {
        server.on('GET /', [503, reply(200, { json: 1 })]);
        expect$(http.get('/')).toWait([]);
      }),
    ).toThrow("toWait needs events, and what came is none: observe: 'events' has a client emit them");
  });

  it('takes a source as its event has it', () => {
    expect([wait('retryAfter', 3000)]).toWait(['retryAfter 3s']);
  });

  it.each<[string, unknown, string]>([
    ['a wait without a duration', ['backoff'], "toWait: 'backoff' is not a wait; write its source and how long it is: 'retry-after 3s'"],
    ['a duration that is none', ['backoff soon'], "'soon' is not a duration"],
    ['what is no array', 'backoff 3s', 'toWait got "backoff 3s"; give an array: toWait([\'retry-after 3s\'])'],
  ])('refuses %s', (_, expected, message) => {
    expect(() => expect([]).not.toWait(expected as string[])).toThrow(message);
  });
});
